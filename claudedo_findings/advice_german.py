"""Whether a German text instructs with a bare infinitive: "vorher den Cache leeren"."""

import re

# At the end of a sentence that has no other verb, any infinitive instructs, in a text that is surely German.
_WORDS = re.compile(r"\b(?:der|die|das|den|dem|des|ein|eine|mit|nach|vor|bei|im|und|nicht|zu|wird|ist|fur|auf)\b")
_ENOUGH = 3  # such words in the text
_INFINITIVE = re.compile(r"(?<![^\s`*_(])(?<!\bzu )[a-z]+(?:en|ern|eln)[`*_)]*\Z")
_FINITE = re.compile(
    r"\b(?:ist|sind|war|waren|wird|werden|wurden?|hat|haben|hatten?|kann|konnen|konnten?|wenn|weil|dass|ob|damit)\b"
)
_SENTENCE = re.compile(r"[.!?](?:\s+|\Z)|\n+")
# At the end of a clause, and in a text of any length, only these do: few other words end like them.
_VERBS = """
    abfangen abrufen absichern abwarten aktivieren aktualisieren anfügen angeben anhalten anheben anpassen ansehen
    aufräumen aufteilen ausblenden ausführen auslassen ausschließen austauschen auswerten bauen beenden begrenzen
    beibehalten beschränken binden deaktivieren deklarieren drehen einbauen einbinden einfrieren einfügen eingrenzen
    einrichten einspielen eintragen entsperren erhöhen erneuern erzeugen escapen fangen festhalten festlegen
    festnageln filtern fixieren freigeben hinzufügen hochsetzen holen ignorieren installieren kapseln kodieren
    kompilieren konvertieren kopieren kürzen leeren lesen loggen löschen maskieren melden messen mitnehmen mocken
    nachladen neu_laden nachsehen neustarten normalisieren öffnen prüfen pushen quoten rufen runden schließen
    schreiben senken serialisieren sichern sortieren speichern sperren stoppen suchen synchronisieren tauschen
    teilen testen trennen überschreiben übersetzen überspringen umbauen umbenennen umschalten umstellen umwandeln
    verdoppeln vergleichen verkleinern vermerken verschieben vorgeben vorladen wegwerfen weglassen wiederholen
    wiederverwenden zerlegen zulassen zurückgeben zurücknehmen zurücksetzen zusammenfassen laufen_lassen
    in_ruhe_lassen stehen_lassen
"""
_MARKS = str.maketrans("äöü", "aou")
_DIGRAPHS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_SPELLED = "|".join(
    re.escape(verb.casefold().translate(letters).replace("_", " "))
    for verb in _VERBS.split()
    for letters in (_MARKS, _DIGRAPHS)
)
# As a noun ("beim Leeren"), and after "zu", they say what happens.
_NO_NOUN = "".join(rf"(?<!\b{word} )" for word in ("zu", "zum", "beim", "das", "dem", "des", "vom", "durch"))
_ORDER = re.compile(rf"(?<![^\s`*_\"'-]){_NO_NOUN}(?:{_SPELLED})[`*_\"']*\Z")
_CLAUSE_END = re.compile(r"([.!?:;,](?=\s|\Z)|[()\n]|\s[–—-]\s)")
_RELATIVE = re.compile(
    r"\s*(?:in |mit |von |an |auf |fur |bei )?(?:die|der|das|den|dem|deren|dessen|denen|was|wo|wie|welche\w*)\b"
)


def instructs(folded: str) -> bool:
    """Return whether a text does, given without case and marks."""
    return _by_sentence(folded) or _by_clause(folded)


def _by_sentence(folded: str) -> bool:
    if len(_WORDS.findall(folded)) < _ENOUGH:
        return False
    sentences = (sentence.strip() for sentence in _SENTENCE.split(folded))
    return any(_INFINITIVE.search(each) and " " in each and not _FINITE.search(each) for each in sentences)


def _by_clause(folded: str) -> bool:
    ends = ["", *_CLAUSE_END.split(folded)]
    clauses = zip(ends[::2], ends[1::2], strict=True)  # each with what stands before it
    return any(
        _ORDER.search(clause.strip()) and not _FINITE.search(clause) and not (end == "," and _RELATIVE.match(clause))
        for end, clause in clauses
    )
