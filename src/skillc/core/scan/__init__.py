"""Scanning: detectors, views and rules shared by redaction at capture and by `skillc scan` (paper 5.3)."""
