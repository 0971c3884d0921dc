"""The offline engine: induction of a contract from verified Traces, without model, key or network."""
