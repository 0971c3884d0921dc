"""The command line: arguments, one lifecycle call, one view, one exit code."""
