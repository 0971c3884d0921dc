"""The outside world that is git, files and keys. Nothing here decides; it reads and writes."""
