"""Whether everything that skillc stands on is there and well: one function a check, one table of them."""
