"""Messages as bytes: section 2 of docs/dat-bridge.md."""

import json
import struct

PREFIX = b"DAT\x01"
PRELUDE = struct.Struct(">4sII")
HEADER_LIMIT = 65_536
PAYLOAD_LIMIT = 16_777_216
DEPTH_LIMIT = 16


class Breach(Exception):
    """The other side broke a rule whose breach ends the connection."""


def encode(header, payload=b""):
    """One whole message."""
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode("utf-8")
    if len(text) > HEADER_LIMIT or len(payload) > PAYLOAD_LIMIT:
        raise ValueError("the message is too large to send")
    return PRELUDE.pack(PREFIX, len(text), len(payload)) + text + payload


def decode_header(data):
    """The header's members, with a text `kind` among them."""
    check_depth(data)
    try:
        # Decoded here, because json.loads() would take UTF-16 and UTF-32 as well.
        header = json.loads(data.decode("utf-8"), parse_int=_integer, parse_constant=_no_constant,
                            object_pairs_hook=_members)
    except (ValueError, RecursionError) as error:
        raise Breach(f"the header is no JSON: {type(error).__name__}") from None
    if not isinstance(header, dict) or not isinstance(header.get("kind"), str):
        raise Breach("the header is no object with a text `kind`")
    return header


def check_depth(data):
    """Counts brackets outside strings before the (recursive) parser sees them."""
    if data.count(b"{") + data.count(b"[") <= DEPTH_LIMIT:
        return
    depth, quoted, escaped = 0, False, False
    for byte in data:
        if quoted:
            quoted = escaped or byte != 0x22
            escaped = not escaped and byte == 0x5C
        elif byte == 0x22:
            quoted = True
        elif byte in b"{[":
            depth += 1
            if depth > DEPTH_LIMIT:
                raise Breach("the header is nested too deep")
        elif byte in b"}]":
            depth -= 1


def _integer(text):
    # More digits than any integer of the protocol has: as a float no check of an integer accepts it, and
    # the conversion of a million digits is spared.
    return int(text) if len(text) <= 17 else float(text)


def _no_constant(name):
    raise ValueError(f"{name} is not JSON")


def _members(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member is there twice")
    return members


class Parser:
    """Takes bytes in pieces of any size, gives whole messages."""

    def __init__(self):
        self._buffer = bytearray()

    @property
    def inside_message(self):
        return bool(self._buffer)

    def feed(self, data):
        self._buffer += data

    def next(self):
        """(header, payload), or None as long as bytes are missing."""
        buffer = self._buffer
        start = bytes(buffer[:4])
        # A stranger's first bytes are refused at once, not when twelve have come.
        if not PREFIX.startswith(start):
            raise Breach("wrong prefix")
        if len(buffer) < PRELUDE.size:
            return None
        _, header_size, payload_size = PRELUDE.unpack_from(buffer)
        if header_size > HEADER_LIMIT or payload_size > PAYLOAD_LIMIT:
            raise Breach("a length is above its bound")
        header_end = PRELUDE.size + header_size
        end = header_end + payload_size
        if len(buffer) < end:
            return None
        header = decode_header(bytes(buffer[PRELUDE.size:header_end]))
        payload = bytes(buffer[header_end:end])
        del buffer[:end]
        return header, payload
