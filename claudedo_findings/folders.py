"""The user's config and state folders; `CLAUDEDO_FINDINGS_HOME` puts both in one place."""

import os


def config() -> str:
    """Return the absolute path of the config folder; it may not exist yet."""
    home = os.environ.get("CLAUDEDO_FINDINGS_HOME")
    if home:
        return os.path.abspath(os.path.expanduser(home))
    import platformdirs  # imported late: most processes never ask for the folder

    return platformdirs.user_config_dir("claudedo-findings", appauthor=False)


def key(path: str) -> str:
    """Return a short name for a path, for files in the state folder that belong to it."""
    import hashlib  # 3 ms: not for those who never ask

    return hashlib.sha256(os.fsencode(os.path.normcase(path))).hexdigest()[:16]


def state() -> str:
    """Return the absolute path of the state folder (locks, day marks, logs); it may not exist yet."""
    home = os.environ.get("CLAUDEDO_FINDINGS_HOME")
    if home:
        return os.path.join(os.path.abspath(os.path.expanduser(home)), "state")
    import platformdirs

    return platformdirs.user_state_dir("claudedo-findings", appauthor=False)
