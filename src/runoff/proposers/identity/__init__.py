"""Which records are one thing: statements about sets of records, canopies, agglomeration."""
