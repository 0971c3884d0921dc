"""Answers that were given before, by the digest of their request."""
