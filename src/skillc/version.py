"""The version of skillc, in a file of its own so that `skillc --version` imports nothing else."""

__version__ = "0.1.0"
