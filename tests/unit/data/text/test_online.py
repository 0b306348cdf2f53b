"""What people write online: addresses, handles, hashtags, smileys, emoji."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runoff.data.text.online import kind_of
from runoff.data.text.tokens import tokenize


def words(text):
    return [token.text for token in tokenize(text)]


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("https://t.co/a?b=1", "address"),
        ("example.com/news", "address"),
        ("joe.doe@example.com", "address"),
        ("@anna_b", "handle"),
        ("#BlackLivesMatter", "hashtag"),
        (":-)", "face"),
        (":'(", "face"),
        (";)", "face"),
        ("^_^", "face"),
        ("\\o/", "face"),
        ("😂", "face"),
        ("❤\ufe0f", "face"),
        ("👍🏽", "face"),
        ("👨\u200d👩\u200d👧", "face"),
        ("🇫🇷", "face"),
        ("1\ufe0f\u20e3", "face"),
        ("!!!", "stress"),
        ("?!", "stress"),
    ],
)
def test_one_token_of_its_kind(word, kind):
    assert words(f"so {word} yes") == ["so", word, "yes"]
    assert words(word) == [word]
    assert kind_of(word) == kind


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("less than <3 mm", "less than < 3 mm"),
        ("I <3 you", "I <3 you"),
        ("C57BL (#AB1234, #sc-123; #1)", "C57BL ( # AB1234 , # sc - 123 ; # 1 )"),
        ("(see Fig. 1;) b", "( see Fig. 1 ; ) b"),
        ("a ratio 1:3 (n = 4)", "a ratio 1 : 3 ( n = 4 )"),
        ("at 5 @ 8 pm", "at 5 @ 8 pm"),
        ("great :). Ok", "great :) . Ok"),
    ],
)
def test_signs_of_articles_stay_apart(text, tokens):
    assert words(text) == tokens.split()


@pytest.mark.parametrize("word", ["vote", "☏", "→", "★", "(", "Ann", "3", "#", "@"])
def test_what_is_none_of_them(word):
    assert kind_of(word) is None


@given(st.text(alphabet="ab1 @#:;()-_^<3!?/.\\😂👍🏽\u200d\ufe0f❤DPoO'", max_size=40))
def test_no_character_is_lost(text):
    found = tokenize(text)
    assert "".join(token.text for token in found) == "".join(text.split())
    assert all(text[token.start : token.end] == token.text for token in found)
