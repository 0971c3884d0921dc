"""One module a stage: read, decide, write."""
