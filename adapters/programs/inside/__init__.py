"""What runs in the room beside a program: supervisor, name server, clean-up."""
