"""Admission: candidates and gates (paper 5.4)."""
