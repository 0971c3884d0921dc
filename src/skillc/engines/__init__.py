"""Model roles behind one table. An engine returns records; core decides what they may do."""
