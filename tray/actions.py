"""What a click does. Runs beside the main thread: git and a busy store may take their time."""

import os

from claudedo_findings import launch, pointer, tracking
from claudedo_findings.errors import FindingsError
from claudedo_findings.store import Store
from claudedo_findings.tracking import Tracking
from tray.menu import Action, Verb
from tray.telling import Told
from tray.words import Words

_OPENERS = {Verb.OPEN: launch.folder, Verb.CODE: launch.code, Verb.FILE: launch.file}


def perform(action: Action, words: Words) -> Told | None:
    """Do it, and return what to tell of it; None where the user sees for himself."""
    try:
        if action.verb in _OPENERS:
            if not os.path.exists(action.path):
                return Told(title=words("failed", list=action.list), text=words("gone", path=action.path))
            _OPENERS[action.verb](action.path)
            return None
        assert action.store
        if action.verb is Verb.COPY:
            return _sentence(action.store, words)
        toggle = tracking.track if action.verb is Verb.TRACK else tracking.untrack
        return _toggled(action.list, toggle(action.store), words)
    except FindingsError as error:
        return Told(title=words("failed", list=action.list), text=str(error))


def _sentence(store: Store, words: Words) -> Told:
    pointer.sync_daily(store)
    sentence = pointer.sentence(store)
    if not sentence:
        raise FindingsError(words("no-sentence"))
    return Told(title=words("copied"), text=sentence, clipboard=sentence)


def _toggled(name: str, now: Tracking, words: Words) -> Told:
    """Return what git says now, which is not always what was wanted; then the warnings say why."""
    key, text = ("tracked", "tracked.commit") if now.checked_in else ("untracked", "untracked.files")
    return Told(title=words(key, list=name), text="\n".join(now.warnings) or words(text))
