"""Scanning by hand: what is read, what of it is looked at, what a person let stand."""
