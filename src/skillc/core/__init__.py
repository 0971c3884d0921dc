"""The trusted code: the paper's rules, pure and readable without git, a model or a terminal."""
