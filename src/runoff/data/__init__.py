"""What flows through the house: n-best lists, trees, tagged sentences, and their files."""
