"""Claude through the Claude Code that a person has installed."""
