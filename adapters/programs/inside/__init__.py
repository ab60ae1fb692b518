"""What runs in the room beside a program: the supervisor, the name server that knows no name, the clean-up."""
