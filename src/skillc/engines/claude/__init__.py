"""Claude through the anthropic SDK."""
