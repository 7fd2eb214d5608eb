"""The door to lists.toml, the user's own list of projects."""

import os
from collections.abc import Callable

from claudedo_findings import files, folders, lock
from claudedo_findings.errors import FindingsError, shown


def path() -> str:
    """Return the path of lists.toml."""
    return os.path.join(folders.config(), "lists.toml")


def read() -> dict[str, str]:
    """Return the folder of each list by its name, {} where there is no file."""
    data = files.read(path())
    if data is None:
        return {}
    import tomllib  # 12 ms: not for those who never ask

    try:
        table = tomllib.loads(data.decode("utf-8").removeprefix("\ufeff")).get("lists", {})
    except (ValueError, RecursionError) as error:
        raise FindingsError(f"{path()} is not valid TOML: {error}; correct it") from error
    if not isinstance(table, dict) or not all(isinstance(value, str) for value in table.values()):
        raise FindingsError(f"{path()} needs a table [lists] of the form name = 'folder'; correct it")
    return dict(table)


def rewrite(change: Callable[[dict[str, str]], None]) -> None:
    """Let `change` edit the table of lists, and write the file; comments and order stay."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    file = path()

    def once() -> None:
        read()  # refuses what would not be understood
        data = files.read(file)
        try:
            document = tomlkit.parse((data or b"").decode("utf-8-sig"))
        except TOMLKitError as error:  # it takes less than Python's reader: nesting of a hundred levels
            raise FindingsError(f"{file} cannot be edited: {error}; correct it") from error
        if "lists" not in document:
            document["lists"] = tomlkit.table()
        change(document["lists"])
        files.make_folder(os.path.dirname(file))
        try:
            new = tomlkit.dumps(document).encode("utf-8")
        except UnicodeEncodeError as error:
            odd = error.object[error.start : error.end]
            raise FindingsError(
                f"{file} cannot hold a name that is not UTF-8 (it has {shown(odd)}): rename the folder, or use --here"
            ) from error
        files.write_atomic(file, new, seen=files.Seen(data))  # dotfiles are linked

    with lock.locked(os.path.join(folders.state(), "lists.lock")):
        files.insist(once)
