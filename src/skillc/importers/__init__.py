"""Foreign formats in, Traces out: one file a format, behind one table."""
