"""The user's config and state folders; `CLAUDEDO_FINDINGS_HOME` puts both in one place."""

import os

_PRIME = 2**96 - 17


def config() -> str:
    """Return the absolute path of the config folder; it may not exist yet."""
    home = os.environ.get("CLAUDEDO_FINDINGS_HOME")
    if home:
        return os.path.abspath(os.path.expanduser(home))
    import platformdirs  # imported late: most processes never ask for the folder

    return platformdirs.user_config_dir("claudedo-findings", appauthor=False)


def key(path: str) -> str:
    """Return a short name for a path, for files in the state folder that belong to it."""
    # The remainder by a prime tells paths apart as a hash does, without OpenSSL: 4 ms of a hook's time go to load that.
    return f"{int.from_bytes(os.fsencode(os.path.normcase(path)), 'big') % _PRIME:024x}"


def state() -> str:
    """Return the absolute path of the state folder (locks, day marks, logs); it may not exist yet."""
    home = os.environ.get("CLAUDEDO_FINDINGS_HOME")
    if home:
        return os.path.join(os.path.abspath(os.path.expanduser(home)), "state")
    import platformdirs

    return platformdirs.user_state_dir("claudedo-findings", appauthor=False)
