"""The offline engine: deterministic induction of a contract from verified Traces. No model, key or network."""
