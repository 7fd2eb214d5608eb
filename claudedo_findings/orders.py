"""Whether a text speaks to the agent that reads it: what strangers wrote is to be shown, never to be followed."""

import re

_ORDERS = re.compile(
    r"""
      \b(?:ignore|disregard|forget|override|bypass|discard|skip|ignorier\w*|vergiss|missachte\w*)\b [^.!?\n]{0,40}
        \b(?:instructions?|prompts?|rules?|guidelines?|directives?|orders|polic(?:y|ies)|constraints?
          |(?:previous|prior|above|earlier|preceding)\s+(?:\w+\s+)?(?:messages?|context|text|conversation)
          |anweisung(?:en)?|regeln?|vorgaben?|befehle?)\b
    | \b(?:new|updated|real|actual|following|hidden|secret)\s+(?:system\s+)?instructions?\b
    | \b(?:system|developer)\s+(?:prompt|message|mode|override)\b | \bjailbreak
    | \b(?:you\s+are|you're|act|behave|respond)\s+(?:now|as\s+(?:a|an|if))\b | \bpretend\s+(?:to|that|you)\b
    | \bfrom\s+now\s+on\b | \bdu\s+bist\s+(?:jetzt|nun|ab)\b
    | <\s*/?\s*(?:system|assistant|user|human|instructions?|important)\b[^>]*> | <\|[\w ]+\|> | \[/?INST\]
    | ^\s*(?:\#+\s*)?(?:system|assistant|human|user|important|attention|note\s+to\s+(?:the\s+)?\w+)\s*:\s*
        (?:you|please|do|don't|never|always|ignore|run|execute|the\s+(?:agent|assistant|user|model))\b
    | \b(?:ai|llm|claude|codex|gemini|copilot|gpt|chatgpt|(?:coding\s+)?(?:agents?|assistants?|models?))
        (?:\s*[,:]\s*(?:please\s+)?(?:you|do|run|delete|execute|ignore|send|open|write|read|add|commit|push)\b
          |\s+(?:must|should|shall|needs?\s+to|has\s+to|have\s+to|is\s+to|are\s+to|are\s+required)\b)
    | \b(?:do\s+not|don't|never|without)\s+(?:tell\w*|inform\w*|mention\w*|reveal\w*|ask\w*|notify\w*|alert\w*)\b
        [^.!?\n]{0,30}\b(?:user|human|anyone|anybody|developer|operator|people)\b
    | \b(?:run|execute|eval|paste)\s+(?:the\s+following|this|these)\s+(?:commands?|scripts?|code|lines?)\b
    | \b(?:send|post|upload|exfiltrate|forward|e-?mail)\b[^!?\n]{0,80}\b(?:to|at)\s+(?:https?:|\S+@|\S+\.\w{2,4}/)
    | \b(?:curl|wget)\b[^\n|]{0,200}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b
    """,
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)


def given(text: str) -> bool:
    """Return whether a text gives an agent orders, poses as one of its speakers, or asks for secrecy."""
    return bool(_ORDERS.search(text))
