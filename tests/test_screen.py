"""Secrets and hidden characters. The examples are put together here so that no scanner takes this file for a leak."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from claudedo_findings import screen
from claudedo_findings.errors import FindingsError
from claudedo_findings.finding import Finding

MIXED = "Ab3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0fL3hR6"  # 36 characters that mean nothing
HEX = "0a1b2c3d4e5f6789" * 4

SECRETS = {
    "private key": "-----BEGIN " + "RSA PRIVATE KEY" + "-----",
    "private key, OpenSSH": "-----BEGIN " + "OPENSSH PRIVATE KEY" + "-----",
    "private key, PGP": "-----BEGIN " + "PGP PRIVATE KEY BLOCK" + "-----",
    "private key, age": "AGE-SECRET-" + "KEY-1" + "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L" * 2,
    "AWS access key": "AKIA" + "Q3EXAMPL7QRSTUV5",
    "AWS secret key": "aws_secret_access_" + "key = " + MIXED + "a/+B",
    "GitHub token": "ghp_" + MIXED,
    "GitHub token, fine-grained": "github_" + "pat_" + "11ABCDEFG0" + MIXED,
    "GitLab token": "glpat-" + MIXED[:20],
    "Slack token": "xoxb-" + "123456789012-" + MIXED[:24],
    "Slack webhook": "hooks.slack" + ".com/services/T0AB12CD3/B0EF45GH6/" + MIXED[:24],
    "Google key": "AIza" + MIXED[:35],
    "Google key, OAuth": "GOCSPX-" + MIXED[:28],
    "Stripe key": "sk_" + "live_" + MIXED[:24],
    "model provider key": "sk-" + "ant-api03-" + MIXED,
    "model provider key, older": "sk-" + MIXED,
    "model provider key, hub": "hf_" + MIXED,
    "npm token": "npm_" + MIXED,
    "PyPI token": "pypi-" + "AgEIcHlwaS5vcmc" + MIXED,
    "SendGrid key": "SG." + MIXED[:22] + "." + MIXED,
    "DigitalOcean token": "dop_" + "v1_" + HEX,
    "Telegram bot token": "1234567890" + ":" + "AA" + MIXED[:33],
    "Azure storage key": "Account" + "Key=" + MIXED + MIXED + "==",
    "JSON web token": "eyJ" + "hbGciOiJIUzI1NiJ9" + ".eyJ" + "zdWIiOiIxMjM0In0" + "." + MIXED,
    "authorization header": "Authorization: " + "Bearer " + MIXED,
    "credentials in a URL": "https://" + "deploy:" + "hunter2!x" + "@git.example.org/app.git",
    "credentials in a URL, without a user": "redis://" + ":" + "hunter2!x" + "@cache:6379",
    "password or key, in an environment": "PGPASS" + "WORD=" + "hunter2hunter2",
    "password or key, camel case": "dbPass" + "word: '" + "hunter2hunter2" + "'",
    "password or key": "pass" + "word=" + "hunter2hunter2",
    "password or key, in code": "DB_PASS" + "WORD = '" + "hunter2.hunter2$x" + "'",
    "password or key, JSON": '"api' + '_key": "' + MIXED + '"',
}
# What stands before the value would give it away in a message too, so the whole string is looked for.
FIELDS = ["slug", "title", "body", "scope"]


@pytest.mark.parametrize(("kind", "pattern"), [*screen._SECRETS, *screen._VALUES])
@given(data=st.data())
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
def test_whatever_has_the_shape_of_a_secret_has_one_of_its_marks(kind: str, pattern: str, data: st.DataObject) -> None:
    text = data.draw(st.from_regex(pattern))

    assert any(mark in text.casefold() for mark in screen._MARKS[kind].split())


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("kind", SECRETS)
def test_secret_is_refused_in_every_field_without_its_value(kind: str, field: str) -> None:
    fields = {"slug": "a", "title": "t", "body": "b", "scope": "s"} | {field: f"x {SECRETS[kind]}"}

    with pytest.raises(FindingsError) as caught:
        Finding(**fields)  # type: ignore[arg-type]

    message = str(caught.value)
    assert message.startswith(f"{field} holds what looks like a secret ({kind.partition(',')[0]})")
    assert not any(part in message for part in SECRETS[kind].split() if len(part) > 10 and part not in kind)


@pytest.mark.parametrize(
    "around", ["{}", "({})", "`{}`", '"{}"', "see {}.", "A={}", "x\n{}\ny", "空{}空", "_{}", "{}, and"]
)
@pytest.mark.parametrize("kind", SECRETS)
def test_secret_is_found_wherever_it_stands(kind: str, around: str) -> None:
    assert screen.secret(around.format(SECRETS[kind]))


@pytest.mark.parametrize("kind", SECRETS)
def test_masked_text_holds_no_secret_and_keeps_the_rest(kind: str) -> None:
    masked = screen.mask(f"before {SECRETS[kind]} after")

    assert screen.secret(masked) == ""
    assert masked.startswith("before ")
    assert masked.endswith(" after")
    assert "removed]" in masked


@settings(max_examples=200)
@given(st.lists(st.one_of(st.sampled_from([*SECRETS.values(), " ", "\n", "=", ": "]), st.text(max_size=5)), max_size=8))
def test_mask_replaces_all_secrets_also_where_they_touch(parts: list[str]) -> None:
    assert screen.secret(screen.mask("".join(parts))) == ""


@pytest.mark.parametrize("end", ["-----END RSA PRIVATE KEY-----", ""])
@pytest.mark.parametrize("gap", ["\n", " ", "\n> ", "\\n"])
def test_mask_takes_a_private_key_whole_also_one_that_was_cut_off(gap: str, end: str) -> None:
    lines = ["-----BEGIN " + "RSA PRIVATE KEY-----", "MIIEpAIBAAKCAQEA7bq1" * 3, "x8Kz/Qb+4hTn5mR2wVcY" * 3, end]
    masked = screen.mask(f"before {gap.join(filter(None, lines))} after it")
    assert masked == "before [private key removed] after it"


def test_mask_takes_a_cut_off_key_and_leaves_the_words_behind_it() -> None:
    begin = "-----BEGIN " + "PRIVATE KEY-----"
    assert screen.mask(f"{begin} in a log means trouble") == "[private key removed] in a log means trouble"


def test_mask_takes_what_two_shapes_cover_once() -> None:
    masked = screen.mask(
        f"curl -H '{SECRETS['authorization header'].replace(MIXED, SECRETS['JSON web token'])}' and go on"
    )

    assert MIXED not in masked
    assert masked.count("removed]") == 1
    assert masked.endswith("' and go on")


@given(st.text())
def test_mask_leaves_text_without_secrets_alone(text: str) -> None:
    assert screen.secret(text) or screen.mask(text) == text


@pytest.mark.parametrize(
    "text",
    [
        *("3f9a2c7", "e10634b8d1f0a2c4e6f8091a2b3c4d5e6f708192", HEX, "8c1d44e0-1111-4222-8333-444455556666"),
        *(
            "sha256-" + MIXED + "abcdefg=",
            "sha512:" + HEX,
            "index 83db48f..bf2a9c1 100644",
            "md5 d41d8cd98f00b204e9800998ecf8427e",
        ),
        *(
            "risk-based",
            "risk-based-approach-for-long-names-2026",
            "task-or-project-level-settings-of-2026",
            "desk-proj-x",
        ),
        *("sk-learn-like", "sk-learn-compatible-estimators", "ask-ant-colony-optimisation-library", "sk-" + "x" * 30),
        *(
            "src/billing/invoice.py",
            "C:/Users/me/project/a.cs",
            "a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t/u/v/w",
            "@types/node",
        ),
        *(
            "token = get_token()",
            "password: str",
            "password: str = ''",
            "api_key = os.environ['API_KEY_V2']",
            "secret: None",
        ),
        *(
            "password = generate_password2()",
            "secret_key = settings2.SECRET_KEY",
            "api_key: Optional[str1]",
            "pwd=$PWD1234",
        ),
        *(
            "password = ${DB_PASSWORD_2}",
            "password: <your password 1>",
            "password=********",
            "api_key=YOUR_API_KEY_V2_HERE",
        ),
        *(
            "the secret: never retry",
            "password is required",
            "secret = base",
            "auth_token=",
            "passwordless = true12345",
        ),
        *(
            "https://user:password@host/x",
            "https://user:<token>@host",
            "https://${USER}:${TOKEN}@host",
            "https://u:xxxx@h",
        ),
        *("https://%s:%s@%s/", "https://{user}:{pw}@host", "https://host:8080/a@b", "git@github.com:org/repo.git"),
        *(
            "ssh://git@host:22/x",
            "https://user@host",
            "http://localhost:8080/?a=b@c",
            "a: b @ c",
            "postgres://localhost:5432/app@2",
        ),
        *(
            "Authorization: Bearer <token>",
            "Authorization: Bearer ${TOKEN}",
            "Authorization: Bearer YOUR_ACCESS_TOKEN_HERE",
        ),
        *(
            "-----BEGIN " + "CERTIFICATE-----",
            "-----BEGIN " + "PUBLIC KEY-----",
            "AKIA is the prefix",
            "ghp_ tokens",
            "xoxb-",
        ),
        *(
            "eyJ is how a token starts",
            "glpat- prefix",
            "npm_config_registry",
            "npm_lifecycle_event",
            "hf_hub_download",
        ),
        *("12:30:45", "2026-11-02T10:00:00Z", "1234567890:short", "pypi-publish", "SG.x.y", "AccountKey=..."),
    ],
)
def test_harmless_text_passes(text: str) -> None:
    assert screen.secret(text) == ""


def test_long_text_is_screened_in_linear_time() -> None:
    # Would take minutes if one shape were searched anew from every character; the hang guard stops the run then.
    for text in (
        "a" * 300_000,
        "password=" * 30_000,
        "-----BEGIN " * 30_000,
        "a:" * 100_000,
        "eyJ" * 100_000,
        "://" * 90_000,
        "password=a1" * 30_000 + "(",
        "secret: a1b2c3d4 " * 30_000,
    ):
        assert screen.secret(text) in ("", "password or key")
        screen.mask(text)
