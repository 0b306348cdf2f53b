"""How similar texts are: edit distances and other similarities."""
