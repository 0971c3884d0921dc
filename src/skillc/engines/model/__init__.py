"""The roles of the compiler by a model, whichever transport carries the questions (paper 5.3)."""
