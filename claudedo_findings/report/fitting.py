"""Which findings an error fits, by its words."""

from collections.abc import Sequence

from claudedo_findings import match
from claudedo_findings.match import Document
from claudedo_findings.report.trail import Fitting
from claudedo_findings.transcripts import quote
from claudedo_findings.transcripts.model import Call


def among(documents: Sequence[Document]) -> Fitting:
    """Return what tells the findings that an error fits strongly. The same error is looked up once, wherever it came.

    An error that says too little ("exit code 1"), or that is withheld, fits none.
    """
    texts = ["\n".join(document) for document in documents]
    known: dict[str, tuple[str, ...]] = {}

    def fitting(call: Call) -> tuple[str, ...]:
        if call.weak or call.error == quote.WITHHELD or not documents:
            return ()
        if call.fingerprint not in known:
            hits = match.search_texts(call.error, texts, documents.__getitem__)
            known[call.fingerprint] = tuple(hit.slug for hit in hits if hit.strong)
        return known[call.fingerprint]

    return fitting
