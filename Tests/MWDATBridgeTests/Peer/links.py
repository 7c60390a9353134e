"""What carries the bytes: section 1 of docs/dat-bridge.md. TCP and WebSocket (RFC 6455), opened or accepted."""

import asyncio
import base64
import hashlib
import hmac
import secrets
import ssl
import struct
from urllib.parse import urlsplit

from framing import Breach, Parser, encode

OPEN_SECONDS = 10
WRITE_SECONDS = 30
PIECE = 65_536
HEAD_LIMIT = 16_384
PATH = "/dat-bridge"
SUBPROTOCOL = "dat-bridge.v1"
ACCEPT_SUFFIX = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
# For masking: what each byte becomes under each byte of a key.
TABLES = [bytes(byte ^ key for byte in range(256)) for key in range(256)]


class Gone(Exception):
    """The connection could not be opened, has ended, or is stuck."""


class Address:
    """`tcp://host:port`, `ws://host:port` or `wss://host:port`; a WebSocket's path is always the same."""

    def __init__(self, url):
        parts = urlsplit(url)
        if parts.scheme not in ("tcp", "ws", "wss") or not parts.hostname or parts.port is None:
            raise ValueError("an address is tcp://HOST:PORT, ws://HOST:PORT or wss://HOST:PORT")
        if parts.path not in (("",) if parts.scheme == "tcp" else ("", "/", PATH)) or parts.query or parts.username:
            raise ValueError(f"an address has no path but {PATH}, no query and no user")
        self.scheme, self.host, self.port = parts.scheme, parts.hostname, parts.port

    @property
    def field(self):
        """As the `Host` field has it."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


class TcpLink:
    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    def be_silent(self):
        """From now on, close without a goodbye: TCP has none."""

    async def read(self):
        """Some bytes, or none at the end."""
        return await self.reader.read(PIECE)

    async def write(self, data):
        self.writer.write(data)
        await asyncio.wait_for(self.writer.drain(), WRITE_SECONDS)

    async def close(self):
        """Lets what was written go out, for a short while, and closes."""
        self.writer.close()
        try:
            await asyncio.wait_for(self.writer.wait_closed(), 2)
        except (OSError, asyncio.TimeoutError):
            self.abort()

    def abort(self):
        self.writer.transport.abort()


class WebSocketLink(TcpLink):
    def __init__(self, reader, writer, client):
        super().__init__(reader, writer)
        self._client = client
        # Whether to close like a phone that lost its network: without WebSocket's own goodbye.
        self._silent = False
        self._left, self._key, self._in_message = 0, b"", False

    def be_silent(self):
        self._silent = True

    async def read(self):
        # Given on in pieces, so that a frame of any announced length needs no memory.
        while not self._left:
            try:
                if not await self._next_frame():
                    return b""
            except asyncio.IncompleteReadError:
                return b""
        data = await self.reader.read(min(self._left, PIECE))
        self._left -= len(data)
        if self._key:
            plain, turn = masked(data, self._key), len(data) % 4
            self._key = self._key[turn:] + self._key[:turn]
            return plain
        return data

    async def _next_frame(self):
        """Reads a frame's beginning, and control frames whole; False when the other side closes."""
        # So that a stream of empty frames leaves others their turn.
        await asyncio.sleep(0)
        first, second = await self.reader.readexactly(2)
        final, kind, length = bool(first & 0x80), first & 0x0F, second & 0x7F
        if first & 0x70 or bool(second & 0x80) == self._client:
            raise Breach("WebSocket: reserved bits, or masked by the wrong side")
        if length == 126:
            length, = struct.unpack(">H", await self.reader.readexactly(2))
        elif length == 127:
            length, = struct.unpack(">Q", await self.reader.readexactly(8))
        key = b"" if self._client else await self.reader.readexactly(4)
        if kind >= 8:
            return await self._control(kind, final, length, key)
        self._check_data(kind)
        self._in_message, self._left, self._key = not final, length, key
        return True

    def _check_data(self, kind):
        if kind == TEXT:
            raise Breach("WebSocket: a text message")
        if kind not in (0, BINARY) or (kind == 0) != self._in_message:
            raise Breach("WebSocket: an unknown or misplaced frame")

    async def _control(self, kind, final, length, key):
        if not final or length > 125 or kind not in (CLOSE, PING, PONG):
            raise Breach("WebSocket: a wrong control frame")
        data = await self.reader.readexactly(length)
        # No answer while many wait: whoever asks without reading gets none.
        if kind == PING and self.writer.transport.get_write_buffer_size() < PIECE:
            self.writer.write(self._frame(PONG, masked(data, key) if key else data))
        return kind != CLOSE

    def _frame(self, kind, data):
        size = len(data)
        bit = 0x80 if self._client else 0
        if size < 126:
            head = struct.pack(">BB", 0x80 | kind, bit | size)
        elif size < 65_536:
            head = struct.pack(">BBH", 0x80 | kind, bit | 126, size)
        else:
            head = struct.pack(">BBQ", 0x80 | kind, bit | 127, size)
        if not self._client:
            return head + data
        key = secrets.token_bytes(4)
        return head + key + masked(data, key)

    async def write(self, data):
        await super().write(self._frame(BINARY, data))

    async def close(self):
        if not self._silent and not self.writer.is_closing():
            self.writer.write(self._frame(CLOSE, struct.pack(">H", 1000)))
        await super().close()


def masked(data, key):
    """Each of the key's four bytes by a table: one byte after the other would take Python longer than a picture lasts."""
    result = bytearray(data)
    for lane, byte in enumerate(key):
        result[lane::4] = result[lane::4].translate(TABLES[byte])
    return bytes(result)


def accept_value(key):
    return base64.b64encode(hashlib.sha1(key.encode("ascii", "replace") + ACCEPT_SUFFIX).digest()).decode("ascii")


async def read_head(reader):
    """The first line and the fields of an HTTP message, by lower-case name."""
    try:
        data = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        raise Breach("WebSocket: no HTTP message") from None
    if len(data) > HEAD_LIMIT:
        raise Breach("WebSocket: an HTTP message too long")
    first, *lines = data.decode("latin-1").split("\r\n")
    fields = {}
    for line in filter(None, lines):
        name, _, value = line.partition(":")
        name = name.strip().lower()
        fields[name] = f"{fields[name]}, {value.strip()}" if name in fields else value.strip()
    return first, fields


def tokens(fields, name):
    return [each.strip() for each in fields.get(name, "").split(",")]


def has_upgrade(fields):
    return (fields.get("upgrade", "").lower() == "websocket"
            and "upgrade" in [each.lower() for each in tokens(fields, "connection")])


async def upgrade_as_client(reader, writer, address):
    key = base64.b64encode(secrets.token_bytes(16)).decode("ascii")
    writer.write((f"GET {PATH} HTTP/1.1\r\nHost: {address.field}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                  f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
                  f"Sec-WebSocket-Protocol: {SUBPROTOCOL}\r\n\r\n").encode("ascii"))
    first, fields = await read_head(reader)
    if first.split(" ")[1:2] != ["101"]:
        raise Gone("WebSocket: refused: " + first[:80])
    accepted = hmac.compare_digest(fields.get("sec-websocket-accept", "").encode("latin-1"), accept_value(key).encode())
    if not has_upgrade(fields) or not accepted:
        raise Breach("WebSocket: a wrong answer to the upgrade")
    if fields.get("sec-websocket-protocol") != SUBPROTOCOL or "sec-websocket-extensions" in fields:
        raise Breach("WebSocket: another subprotocol, or an extension")
    return WebSocketLink(reader, writer, client=True)


def upgrade_fault(first, fields, names):
    """The HTTP status that a request deserves, or None."""
    method, target, version = (first.split(" ") + ["", ""])[:3]
    if target != PATH:
        return "404 Not Found"
    if method != "GET" or version != "HTTP/1.1" or not has_upgrade(fields) or not fields.get("sec-websocket-key"):
        return "400 Bad Request"
    if fields.get("host", "").lower() not in names:
        return "403 Forbidden"
    if fields.get("sec-websocket-version") != "13":
        return "426 Upgrade Required"
    return None if SUBPROTOCOL in tokens(fields, "sec-websocket-protocol") else "426 Upgrade Required"


async def upgrade_as_server(reader, writer, address):
    first, fields = await read_head(reader)
    local, port = writer.get_extra_info("sockname")[:2]
    hosts = {address.host, local, f"[{local}]", f"[{address.host}]", "localhost"}
    fault = upgrade_fault(first, fields, {f"{host}:{port}".lower() for host in hosts})
    if fault:
        writer.write(f"HTTP/1.1 {fault}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n".encode("ascii"))
        raise Breach("WebSocket: a wrong request: " + fault)
    writer.write(("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                  f"Sec-WebSocket-Accept: {accept_value(fields['sec-websocket-key'])}\r\n"
                  f"Sec-WebSocket-Protocol: {SUBPROTOCOL}\r\n\r\n").encode("ascii"))
    return WebSocketLink(reader, writer, client=False)


async def finish(reader, writer, address, upgrade):
    """TCP needs nothing more, a WebSocket its upgrade."""
    if address.scheme == "tcp":
        return TcpLink(reader, writer)
    try:
        return await asyncio.wait_for(upgrade(reader, writer, address), OPEN_SECONDS)
    except asyncio.TimeoutError:
        writer.transport.abort()
        raise Gone("WebSocket: no upgrade in time") from None
    except (Breach, Gone, OSError):
        writer.close()
        raise


async def connect(address, authority=None):
    """Opens a link. `authority` is a file of certificates that `wss` trusts in place of the system's."""
    try:
        context = ssl.create_default_context(cafile=authority) if address.scheme == "wss" else None
        reader, writer = await asyncio.wait_for(
            asyncio.open_connection(address.host, address.port, ssl=context, limit=HEAD_LIMIT * 4), OPEN_SECONDS)
    except (OSError, asyncio.TimeoutError) as error:
        raise Gone(f"cannot connect: {type(error).__name__}") from None
    return await finish(reader, writer, address, upgrade_as_client)


class Listener:
    """Accepts one connection after the other; what comes while one is open waits for its turn, at most four."""

    def __init__(self, address):
        if address.scheme == "wss":
            raise ValueError("this peer listens at tcp:// and ws:// only")
        self.address = address
        self._waiting = asyncio.Queue(4)
        self._server = None

    async def start(self):
        self._server = await asyncio.start_server(self._arrive, self.address.host, self.address.port, limit=HEAD_LIMIT * 4)
        return self._server.sockets[0].getsockname()[1]

    async def _arrive(self, reader, writer):
        try:
            self._waiting.put_nowait((reader, writer))
        except asyncio.QueueFull:
            writer.transport.abort()

    async def accept(self, seconds):
        try:
            reader, writer = await asyncio.wait_for(self._waiting.get(), seconds)
        except asyncio.TimeoutError:
            raise Gone("nobody connected") from None
        return await finish(reader, writer, self.address, upgrade_as_server)


class Wire:
    """A link that carries whole messages."""

    def __init__(self, link):
        self.link = link
        self._parser = Parser()

    async def receive(self, seconds=None):
        """The next message, within so many seconds from now, however slowly its bytes come."""
        try:
            return await asyncio.wait_for(self._receive(), seconds)
        except asyncio.TimeoutError:
            raise Gone("no message in time") from None
        except OSError as error:
            raise Gone(f"the connection broke: {type(error).__name__}") from None

    async def _receive(self):
        while True:
            message = self._parser.next()
            if message is not None:
                return message
            data = await self.link.read()
            if not data:
                raise Gone("closed inside a message" if self._parser.inside_message else "closed")
            self._parser.feed(data)

    async def send(self, header, payload=b""):
        await self.send_bytes(encode(header, payload))

    async def send_bytes(self, data):
        try:
            await self.link.write(data)
        except (OSError, asyncio.TimeoutError) as error:
            raise Gone(f"cannot send: {type(error).__name__}") from None
