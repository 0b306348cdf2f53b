"""Translation by trees: rules that rewrite a parse as a string, learned and applied."""
