"""Home folders in a text: whose they are is nobody's business, wherever the name stands in the path."""

import re

_NAME = r"[\w$](?:[\w.@+$~-]*[\w$~-])?"
# Windows allows spaces in the name; one counts as part of it when a separator follows at once.
_SPACED = r"[^\\/:*?\"'`<>|\s]+(?: [^\\/:*?\"'`<>|\s]+){0,3}(?=\\)|" + _NAME
_DRIVE = r"(?:[A-Za-z](?::|%3[Aa])|(?<![\w.-])/(?:mnt/|cygdrive/|host_mnt/|run/desktop/mnt/host/)?[A-Za-z](?=/))"
_ROOT = r"(?<![\w.\]})$-])(?:/System/Volumes/Data|/Volumes/[\w-]+|/var|/usr|/export)?"
_HOMES = (
    # C:\Users\Max Muster, c:/users/max, C:\\Users\\max (in JSON), /mnt/c/Users/max, /c/Users/max, file:///C:/Users/max
    rf"{_DRIVE}[\\/]{{1,4}}(?i:users|documents and settings)[\\/]{{1,4}}(?:{_SPACED})",
    # \\wsl$\Ubuntu\home\max, \\wsl.localhost\Ubuntu\home\max, \\server\Users\max
    rf"(?<!\\)(?:\\{{2,4}}[\w.$-]+|\\wsl(?:\$|\.localhost))(?:\\{{1,2}}[\w. -]+)?"
    rf"\\{{1,2}}(?i:home|users)\\{{1,2}}(?:{_SPACED})",
    rf"//wsl(?:\$|\.localhost)/[\w. -]+/home/{_NAME}",
    rf"\\/(?:home|Users)\\/{_NAME}",  # as JSON may write it
    # /home/max, /var/home/max, but neither example.com/home/max nor src/Users/Login.cs nor the route /Users/42
    rf"{_ROOT}/(?:home|Users)/(?!\d+(?![\w.-])){_NAME}",
    rf"%2[Ff](?:home|Users)%2[Ff]{_NAME}",  # in a URL
    rf"(?<=-[ILFB])/(?:home|Users)/{_NAME}",  # an option of a compiler
    r"(?<![\w.\]})$-])/root(?![\w-])(?!\.\w)",
    # ~max/src: the name alone could be "~10 minutes"
    r"(?<![\w.\]})$~-])~[A-Za-z_][\w.-]*(?=/)",
)
_HOME = re.compile("|".join(_HOMES))
# On other machines: vscode-remote://ssh-remote+box/home/max, sftp://box/home/max, file://box/home/max.
_REMOTE_HOME = re.compile(
    rf"(?<![\w+.-])((?:file|s?ftp|ssh|scp|rsync|vscode[\w-]*|git\+ssh)://[^\s/\"'`]*)/(?:home|Users)/{_NAME}"
)
# Agents keep their sessions in folders named after a path: ~/.claude/projects/-home-max-shop
_DASHED_HOME = re.compile(r"(?<=[\\/])(?:-home-|-Users-|-mnt-[a-z]-Users-|[A-Za-z]--Users-)[A-Za-z0-9]+(?=[-\\/\s]|$)")

# A page or a note may print a part of the path bold: /home/<b>max</b>/src, C:\Users\**max**\src, ~<i>max</i>/src.
_OPEN = (
    r"(?:<(?:a|b|big|code|del|em|font|i|ins|kbd|mark|s|samp|small|span|strong|sub|sup|tt|u|var|wbr)\b[^<>\n]{0,200}>"
    r"|<!--[^\n]{0,200}?-->)"
)
_SHUT = r"</[a-z]{1,6}>"
_MARKED_HOME = re.compile(
    rf"(?:{_DRIVE}[\\/]{{1,4}}(?i:users)[\\/]{{1,4}}|{_ROOT}/(?:home|Users)/|(?P<tilde>(?<![\w.\]}})$~-])~))"
    rf"(?:{_OPEN}{{1,4}}{_NAME}(?:{_SHUT}){{0,4}}(?![^\\/\s.,:;)\"'])"
    rf"|(?:{_SHUT}){{1,4}}{_NAME}(?=[\\/])"
    rf"|{_NAME}(?:{_OPEN}{{1,4}}{_NAME}(?:{_SHUT}){{0,4}}(?:{_NAME})?){{1,4}}(?![\w<])"
    rf"|(?P<mark>\*{{1,3}}|~~|`){_NAME}(?P=mark)(?=[\\/]))(?(tilde)(?=[\\/]))"
    rf"|{_ROOT}/{_OPEN}(?:home|Users){_SHUT}/{_NAME}"
)
# A bare ~max is a home folder behind these commands; elsewhere it may be "~half".
_SHELL_HOME = re.compile(
    r"((?<![\w.-])(?:cd|chmod|chown|cp|du|ls|mkdir|mv|pushd|rm|rmdir|rsync|scp)\s(?:[^\n|;&]{0,80}?\s)?)"
    r"~[A-Za-z_](?:[\w.-]*\w)?(?![\w(])"
)


def removed(text: str) -> str:
    """Return `text` with `~` in the place of each home folder, so that no user's name is left."""
    text = _REMOTE_HOME.sub(r"\1/~", text)
    if any(mark in text for mark in "<*`~"):
        text = _SHELL_HOME.sub(r"\1~", _MARKED_HOME.sub("~", text))
    return _DASHED_HOME.sub("~", _HOME.sub("~", text))
