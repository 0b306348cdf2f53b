"""Text of ours for tests of words: short, plain, and with confusables in their right places."""

SENTENCES = (
    "the council counted more votes than it did last year .",
    "first we count the votes , then we publish the list .",
    "the new list is longer than the old one .",
    "they voted and then went home .",
    "nobody knew more than she did .",
    "she read the letter and then wrote a reply .",
    "the mayor was taller than his brother .",
    "wait until noon and then call again .",
    "there is a list on the wall .",
    "their votes were counted twice .",
    "there are two lists in the box .",
    "they gave their names at the door .",
    "we lost their list , but there was a copy .",
    "it was better than nothing .",
    "now and then somebody asks .",
    "he took their coats and put them there .",
)

TEXT = "\n".join(SENTENCES) + "\n"
"""Every sentence once; a corpus is several of it."""
