"""The greeting and its proofs: sections 3 and 4 of docs/dat-bridge.md, the phone's side."""

import asyncio
import hashlib
import hmac
import re
import secrets
import time

import messages
from framing import Breach

VERSIONS = [1]
FEWEST_ROUNDS = 100_000
MOST_ROUNDS = 5_000_000
ANSWER_SECONDS = 15
IDENTIFIER = re.compile(r"[A-Za-z0-9._-]{1,64}")
DIGITS = re.compile(r"[0-9a-f]{64}")
CODE = re.compile(r"[A-HJ-NP-Z2-9]{10}")


class Refused(Exception):
    """The host sent `refused`."""

    def __init__(self, fields):
        super().__init__(fields["code"])
        self.code = fields["code"]
        self.message = fields["message"]
        self.retry_after = fields["retryAfter"]


class UnknownHost(Exception):
    """The phone said `key`, and the host is one that it has no key for."""


def normal_code(text):
    """Ten capitals, or None."""
    letters = text.strip().replace("-", "").replace(" ", "")
    # Letters outside ASCII may become ASCII as capitals (ſ is S): these are no code.
    if not letters.isascii():
        return None
    return letters.upper() if CODE.fullmatch(letters.upper()) else None


def derive(code, phone_nonce, host_nonce, rounds):
    salt = bytes.fromhex(phone_nonce) + bytes.fromhex(host_nonce)
    return hashlib.pbkdf2_hmac("sha256", code.encode("ascii"), salt, rounds, 32)


def transcript(version, versions, peer, host, secret, phone_nonce, host_nonce):
    """T: everything that was said so far."""
    offered = ",".join(str(each) for each in versions)
    return "\n".join(["dat-bridge", str(version), offered, peer, host, secret, phone_nonce, host_nonce]).encode("utf-8")


def proof(key, label, text):
    return hmac.new(key, label.encode("ascii") + b"\n" + text, hashlib.sha256).digest()


def check_challenge(challenge, versions, secret):
    if challenge["version"] not in versions:
        raise Breach("challenge: a version that was not offered")
    if not IDENTIFIER.fullmatch(challenge["host"]):
        raise Breach("challenge: `host` is no identifier")
    if not DIGITS.fullmatch(challenge["nonce"]):
        raise Breach("challenge: `nonce` is not 64 lower-case hexadecimal digits")
    rounds = challenge["rounds"]
    if secret == "code" and (rounds is None or not FEWEST_ROUNDS <= rounds <= MOST_ROUNDS):
        raise Breach("challenge: `rounds` is missing, too small or too large")


async def expect(wire, kind):
    """The next message, which must be of that kind; unknown kinds are skipped, as everywhere."""
    ends = time.monotonic() + ANSWER_SECONDS
    while True:
        # One time for all of it, so that a host that only sends unknown kinds keeps nobody waiting.
        header, payload = await wire.receive(ends - time.monotonic())
        message = messages.read(header, payload)
        if message is None:
            continue
        got, fields = message
        if got == "refused":
            raise Refused(fields)
        if got != kind:
            raise Breach(f"{got} came where {kind} was expected")
        return fields


async def secret_key(store, code, secret, challenge, nonce):
    if secret == "key":
        key = store.key(challenge["host"])
        if key is None:
            raise UnknownHost(challenge["host"])
        return key
    # In a thread: some 100,000 rounds must not hold up the lines on standard input.
    return await asyncio.to_thread(derive, code, nonce, challenge["nonce"], challenge["rounds"])


async def greet(wire, store, name, app_version, code, secret):
    """Runs one greeting; gives `welcome`'s fields and the host's identifier. `secret` is `code` or `key`."""
    nonce = secrets.token_hex(32)
    await wire.send({"kind": "hello", "versions": VERSIONS, "name": name, "version": app_version,
                     "peer": store.peer, "nonce": nonce, "secret": secret})
    challenge = await expect(wire, "challenge")
    check_challenge(challenge, VERSIONS, secret)
    host = challenge["host"]
    key = await secret_key(store, code, secret, challenge, nonce)
    text = transcript(challenge["version"], VERSIONS, store.peer, host, secret, nonce, challenge["nonce"])
    await wire.send({"kind": "proof", "proof": proof(key, "phone", text).hex()})
    welcome = await expect(wire, "welcome")
    check_welcome(welcome, challenge, proof(key, "host", text))
    if secret == "code":
        store.keep(host, proof(key, "key", text))
    return welcome, host


def check_welcome(welcome, challenge, expected):
    if not DIGITS.fullmatch(welcome["proof"]) or not hmac.compare_digest(bytes.fromhex(welcome["proof"]), expected):
        raise Breach("welcome: the host's proof is wrong")
    if welcome["version"] != challenge["version"]:
        raise Breach("welcome: another version than in challenge")
