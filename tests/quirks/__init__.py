"""Small repositories with quirks, scripted sessions in them, and a machine that carries a Skill out."""
