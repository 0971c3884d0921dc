"""Compilation: evidence, proposals, checks, verdicts and result groups (paper 5.3)."""
