"""How large-margin models and their labels are found together."""
