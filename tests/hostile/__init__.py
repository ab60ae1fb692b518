"""The hostile collection: small files that each try one thing, and what comes of it on each rung."""
