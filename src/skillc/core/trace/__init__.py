"""Traces: records of task attempts, their verification, attempt families and task families (paper 5.1)."""
