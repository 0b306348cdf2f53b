"""Records: rows with an id and named fields, their files, and files of clusters."""
