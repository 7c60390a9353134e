"""What a phone may be sent: the tables of sections 3, 5.2 and 6 of docs/dat-bridge.md, and how to check a header."""

from framing import Breach

LARGEST = 2 ** 53 - 1


class Unknown(Exception):
    """A field marked `!` has a value that this peer does not know: the message is skipped."""


def text(value):
    if not isinstance(value, str):
        raise Breach("is not a text")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise Breach("holds half a character") from None
    return value


def integer(least=-LARGEST, most=LARGEST):
    def check(value):
        # To Python `true` is a number too.
        if not isinstance(value, int) or isinstance(value, bool):
            raise Breach("is not an integer")
        if not least <= value <= most:
            raise Breach("is out of its range")
        return value
    return check


def flag(value):
    if not isinstance(value, bool):
        raise Breach("is not a flag")
    return value


def one_of(*values):
    """A field marked `!`."""
    def check(value):
        if text(value) not in values:
            raise Unknown(value)
        return value
    check.marked = True
    return check


def default(fallback, *values):
    """An enumeration without `!`."""
    return lambda value: value if text(value) in values else fallback


def maybe(check):
    def optional(value):
        return None if value is None else check(value)
    optional.optional = True
    return optional


def members(**checks):
    def check(value):
        if not isinstance(value, dict):
            raise Breach("is not an object")
        return read_fields(value, checks)
    return check


ID = integer(0)
REFUSAL_CHECKS = ("link", "compatibility", "worn", "hinges", "power", "trust", "permission", "configuration", "companion",
                  "network", "occupied", "thermal", "peakPower", "battery", "glassesApp", "sdkVersion", "resources", "media",
                  "timeout", "endedByDevice", "notFound", "transport")
REFUSAL = members(check=default("transport", *REFUSAL_CHECKS), message=text, retryable=flag)
REFUSED_CODES = ("version", "order", "proof", "no_code", "unknown_peer", "slow_down", "occupied", "closing")
SIZES = ((360, 640), (504, 896), (720, 1280))
RATES = (2, 7, 15, 24, 30)

SESSION = {"session": ID}
STREAM = {"session": ID, "stream": ID}
REQUEST = {"session": ID, "request": ID}
PERMISSION = {"permission": one_of("camera", "microphone"), "request": ID}

GREETING = {
    "challenge": {"version": integer(), "name": text, "host": text, "nonce": text, "rounds": maybe(integer(1))},
    "welcome": {"version": integer(), "name": text, "proof": text, "heartbeat": integer(0)},
    "refused": {"code": default("closing", *REFUSED_CODES), "message": text, "retryAfter": maybe(integer(0))},
}
CONTROL = {
    "ping": {},
    "pong": {},
    "credit": {"frames": integer(1, 1024)},
    "bye": {"refusal": maybe(REFUSAL)},
}
COMMANDS = {
    "register": {"app": members(identifier=text, name=text, version=text, callbackScheme=text)},
    "register.cancel": {},
    "unregister": {},
    "url.opened": {"url": text},
    "registration.answer": {"request": ID, "accepted": flag},
    "permission.check": PERMISSION,
    "permission.request": PERMISSION,
    "update.open": {"update": one_of("firmware", "glassesApp"), "request": ID},
    "session.open": {"session": ID, "device": text, "takesOver": flag},
    "session.close": SESSION,
    "stream.start": {**STREAM, "coding": one_of("i420", "hvc1"), "width": integer(), "height": integer(),
                     "framesPerSecond": integer(), "audio": maybe(flag)},
    "stream.stop": STREAM,
    "stream.keyFrame": STREAM,
    "stream.hold": {**STREAM, "held": flag},
    "photo.capture": {**REQUEST, "format": one_of("jpeg", "heic")},
    "display.start": SESSION,
    "display.stop": SESSION,
    "view.show": REQUEST,
    "view.clear": REQUEST,
    "playback.stop": SESSION,
}
KNOWN = {**GREETING, **CONTROL, **COMMANDS}
WITH_PAYLOAD = ("view.show",)


def read_fields(value, checks):
    """The known fields of an object, checked; unknown ones are left out."""
    found = {}
    # Fields marked `!` first: a value of a later version may well change what the other fields hold.
    for name in sorted(checks, key=lambda each: not hasattr(checks[each], "marked")):
        check = checks[name]
        if name not in value and not hasattr(check, "optional"):
            raise Breach(f"`{name}` is missing")
        try:
            found[name] = check(value.get(name))
        except Breach as breach:
            raise Breach(f"`{name}` {breach}") from None
    return found


def read(header, payload=b""):
    """(kind, fields), or None for what is to be skipped."""
    kind = header["kind"]
    if kind not in KNOWN:
        return None
    try:
        fields = read_fields(header, KNOWN[kind])
        if payload and kind not in WITH_PAYLOAD:
            raise Breach("has a payload, which its kind has not")
    except Unknown:
        return None
    except Breach as breach:
        raise Breach(f"{kind}: {breach}") from None
    return kind, fields


def refusal(check, message="the scripted phone was told to refuse", retryable=True):
    return {"check": check, "message": message, "retryable": retryable}
