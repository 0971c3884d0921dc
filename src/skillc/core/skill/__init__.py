"""Skills: claims, the typed contract, and its two renderings (paper 5.2)."""
