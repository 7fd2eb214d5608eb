"""What an agent says about its own course: that it gives up on something, or that it was wrong."""

import re

GIVES_UP = "gives up"
ADMITS = "admits"
_GIVES_UP = re.compile(
    r"""
      \bgiven\s+the\s+time\s+(?:constraints?|spent|limits?|available|pressure)
    | \b(?:that's|that\s+is|this\s+is)\s+(?:fine|ok(?:ay)?|acceptable)\b[^.!?\n]{0,30}
        \b(?:critical|main|core|important|essential|actual|real)\s+(?:work|part|task|change|piece)
    | \bi(?:'ll|\s+will|'m|\s+am|\s+have\s+to|\s+must)?\s+(?:give|giving)\s+up\b
    | \b(?:let\s+me|let's|i'll|i\s+will|i'm\s+going\s+to)\s+(?:just\s+)?
        (?:skip|disable|comment\s+out|leave\s+out|drop)\s+(?:this|that|these|those|the\s+(?:failing\s+)?(?:tests?|checks?|hooks?|step|lint\w*))
    | \b(?:let\s+me|let's|i'll|i\s+will)\s+(?:just\s+)?(?:remove|delete)\s+(?:this|that|the)\s+(?:failing\s+)?tests?\b
    | \b(?:let\s+me|let's|i'll|i\s+will)\s+(?:just\s+)?move\s+on\b
    | \bfor\s+now,?\s+(?:i'll|i\s+will|let\s+me|let's)\s+(?:just\s+)?(?:skip|ignore|disable|leave|try\s+skipping|bypass)
    | \bi\s+(?:can't|cannot|could\s+not|couldn't|was\s+unable\s+to|am\s+unable\s+to)\s+
        (?:get\s+\S+\s+to\s+work|figure|resolve|fix|reproduce|make\s+it\s+work)
    | \b(?:despite|after)\s+(?:several|many|multiple|repeated)\s+attempts\b
    | \bich\s+gebe\s+(?:es\s+|das\s+)?auf\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ADMITS = re.compile(
    r"""
      \byou(?:'re|\s+are)\s+(?:absolutely\s+|completely\s+|totally\s+|quite\s+)?right\b
    | \bi\s+apologi[sz]e\b | \bmy\s+(?:mistake|apologies|bad|error|fault)\b | \bsorry\b
    | \bi\s+(?:made\s+(?:that|this|it)\s+up|was\s+wrong|misunderstood|misread|should(?:\s+not|n't)\s+have)\b
    | \bgood\s+catch\b | \bdu\s+hast\s+recht\b | \bmein\s+fehler\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
# One of these stands in every text that a pattern matches. Ten times as fast as the patterns, on texts without.
_SIGNS_OF_GIVING_UP = (
    "given",
    "fine",
    "ok",
    "acceptable",
    "giv",
    "skip",
    "disable",
    "comment",
    "leave",
    "drop",
    "move",
    "delete",
    "bypass",
    "ignore",
    "can't",
    "cannot",
    "could",
    "unable",
    "attempts",
    "gebe",
)
_SIGNS_OF_ADMITTING = ("right", "apolog", "my ", "sorry", "made", "wrong", "mis", "should", "catch", "recht", "mein")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")


def found(text: str) -> list[tuple[str, str]]:
    """Return (kind, sentence) for each kind that a text holds, with the first sentence that shows it."""
    text = text.replace("\u2019", "'")
    folded = text.casefold()
    result = []
    for kind, pattern, signs in ((GIVES_UP, _GIVES_UP, _SIGNS_OF_GIVING_UP), (ADMITS, _ADMITS, _SIGNS_OF_ADMITTING)):
        if not any(sign in folded for sign in signs):
            continue
        match = pattern.search(text)
        if match:
            before = _SENTENCE.split(text[: match.start()])[-1]
            after = _SENTENCE.split(text[match.start() :])[0]
            result.append((kind, (before + after).strip()))
    return result
