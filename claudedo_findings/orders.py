"""Whether a text speaks to the agent that reads it: what strangers wrote is to be shown, never to be followed."""

import re

# How orders begin: only those are looked for that a word of the text begins like. Few texts have any, and to compile
# all of them takes 8 ms, a tenth of what a hook may take.
_ORDERS = {
    ("ignor", "disregard", "forget", "override", "bypass", "discard", "skip", "vergiss", "missacht"): r"""
        \b(?:ignore|disregard|forget|override|bypass|discard|skip|ignorier\w*|vergiss|missachte\w*)\b [^.!?\n]{0,40}
        \b(?:instructions?|prompts?|rules?|guidelines?|directives?|orders|polic(?:y|ies)|constraints?
          |(?:previous|prior|above|earlier|preceding)\s+(?:\w+\s+)?(?:messages?|context|text|conversation)
          |anweisung(?:en)?|regeln?|vorgaben?|befehle?)\b""",
    ("instruction",): r"""
        \b(?:new|updated|real|actual|following|hidden|secret)\s+(?:system\s+)?instructions?\b""",
    ("system", "developer"): r"\b(?:system|developer)\s+(?:prompt|message|mode|override)\b",
    ("jailbreak",): r"\bjailbreak",
    ("you", "act", "behave", "respond"): r"""
        \b(?:you\s+are|you're|act|behave|respond)\s+(?:now|as\s+(?:a|an|if))\b""",
    ("pretend",): r"\bpretend\s+(?:to|that|you)\b",
    ("from",): r"\bfrom\s+now\s+on\b",
    ("du",): r"\bdu\s+bist\s+(?:jetzt|nun|ab)\b",
    ("system", "assistant", "user", "human", "instruction", "important"): r"""
        <\s*/?\s*(?:system|assistant|user|human|instructions?|important)\b[^>]*>""",
    ("<|",): r"<\|[\w ]+\|>",
    ("inst",): r"\[/?INST\]",
    ("system", "assistant", "human", "user", "important", "attention", "note"): r"""
        ^\s*(?:\#+\s*)?(?:system|assistant|human|user|important|attention|note\s+to\s+(?:the\s+)?\w+)\s*:\s*
        (?:you|please|do|don't|never|always|ignore|run|execute|the\s+(?:agent|assistant|user|model))\b""",
    (
        "ai",
        "llm",
        "claude",
        "codex",
        "gemini",
        "copilot",
        "gpt",
        "chatgpt",
        "coding",
        "agent",
        "assistant",
        "model",
    ): r"""
        \b(?:ai|llm|claude|codex|gemini|copilot|gpt|chatgpt|(?:coding\s+)?(?:agents?|assistants?|models?))
        (?:\s*[,:]\s*(?:please\s+)?(?:you|do|run|delete|execute|ignore|send|open|write|read|add|commit|push)\b
          |\s+(?:must|should|shall|needs?\s+to|has\s+to|have\s+to|is\s+to|are\s+to|are\s+required)\b)""",
    ("do", "never", "without"): r"""
        \b(?:do\s+not|don't|never|without)\s+(?:tell\w*|inform\w*|mention\w*|reveal\w*|ask\w*|notify\w*|alert\w*)\b
        [^.!?\n]{0,30}\b(?:user|human|anyone|anybody|developer|operator|people)\b""",
    ("run", "execute", "eval", "paste"): r"""
        \b(?:run|execute|eval|paste)\s+(?:the\s+following|this|these)\s+(?:commands?|scripts?|code|lines?)\b""",
    ("send", "post", "upload", "exfiltrate", "forward", "email", "mail"): r"""
        \b(?:send|post|upload|exfiltrate|forward|e-?mail)\b[^!?\n]{0,80}\b(?:to|at)\s+(?:https?:|\S+@|\S+\.\w{2,4}/)""",
    ("curl", "wget"): r"\b(?:curl|wget)\b[^\n|]{0,200}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b",
}
_FLAGS = re.IGNORECASE | re.VERBOSE | re.MULTILINE
_BEGINNINGS = re.compile(r"[a-z]+|<\|")
_ALIKE = str.maketrans("İıſ\u212a", "iisk")  # what IGNORECASE takes for an ASCII letter, the last the sign of kelvin


def given(text: str) -> bool:
    """Return whether a text gives an agent orders, poses as one of its speakers, or asks for secrecy."""
    words = set(_BEGINNINGS.findall(text.translate(_ALIKE).lower()))
    return any(
        re.search(order, text, _FLAGS)
        for begins, order in _ORDERS.items()
        if any(word.startswith(begins) for word in words)
    )
