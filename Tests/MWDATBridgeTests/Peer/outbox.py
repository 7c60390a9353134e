"""What waits to be sent: events in their order, pictures as far as there is credit (section 6)."""

import asyncio
from collections import deque

from framing import encode
from links import Gone

WAITING_PICTURES = 6
WAITING_BYTES = 64 * 1024 * 1024


class Outbox:
    def __init__(self, wire):
        self._wire = wire
        self._events, self._bytes = deque(), 0
        self._pictures = deque()
        self._work = asyncio.Event()
        self.credit = 0
        self.overflowed = False

    def post(self, header, payload=b""):
        self.post_bytes(encode(header, payload))

    def post_bytes(self, data, last=False):
        """`last`: nothing is sent after these bytes."""
        if self._bytes + len(data) > WAITING_BYTES:
            self.overflowed = True
        else:
            self._events.append((data, last))
            self._bytes += len(data)
        self._work.set()

    def post_picture(self, stream, header, payload):
        self._pictures.append((stream, header, payload))
        if len(self._pictures) > WAITING_PICTURES:
            self._pictures.popleft()[0].dropped += 1
        self._work.set()

    def discard(self, stream):
        """A stream that paused or ended sends no further picture, not even those that wait."""
        kept = deque(each for each in self._pictures if each[0] is not stream)
        stream.dropped += len(self._pictures) - len(kept)
        self._pictures = kept

    def add_credit(self, frames):
        self.credit += frames
        self._work.set()

    async def run(self):
        """Sends until the connection ends or a last message has gone."""
        while True:
            if self.overflowed:
                raise Gone("too much waits to be sent")
            if self._events:
                data, last = self._events.popleft()
                self._bytes -= len(data)
                await self._wire.send_bytes(data)
                if last:
                    return
            elif self._pictures and self.credit:
                stream, header, payload = self._pictures.popleft()
                self.credit -= 1
                stream.sent += 1
                await self._wire.send(header, payload)
            else:
                self._work.clear()
                await self._work.wait()
