"""One connection of the unmodified openai package, whose events are validated and recorded."""

import asyncio
import base64

from common import BYTES_PER_MS, Failure, require
from openai.types.realtime import RealtimeServerEvent
from pydantic import TypeAdapter, ValidationError

STRICT = TypeAdapter(RealtimeServerEvent)


class Conversation:
    """One connection: every event is validated, recorded and handed to whoever waits for it."""

    def __init__(self, connection, report):
        self.connection = connection
        self.report = report
        self.events = []
        self.news = asyncio.Condition()
        self.failure = None
        self.reader = asyncio.create_task(self.read())

    async def read(self):
        try:
            while True:
                raw = await self.connection.recv_bytes()
                STRICT.validate_json(raw, strict=True)
                event = self.connection.parse_event(raw)
                self.report.count(event.type)
                async with self.news:
                    self.events.append(event)
                    self.news.notify_all()
        except asyncio.CancelledError:
            raise
        except ValidationError as error:
            self.failure = f"an event is not what the models say: {error}"
        except Exception as error:
            self.failure = f"{type(error).__name__}: {error}"
        async with self.news:
            self.news.notify_all()

    def find(self, since, kind, **fields):
        for event in self.events[since:]:
            if event.type == kind and all(getattr(event, name) == value for name, value in fields.items()):
                return event
        return None

    async def wait(self, since, kind, seconds=20, **fields):
        async def found():
            async with self.news:
                while True:
                    event = self.find(since, kind, **fields)
                    if event is not None:
                        return event
                    require(self.failure is None, self.failure)
                    error = self.find(since, "error") if kind != "error" else None
                    require(error is None, f"the gateway answered an error: {error}")
                    await self.news.wait()

        try:
            return await asyncio.wait_for(found(), seconds)
        except asyncio.TimeoutError:
            seen = [event.type for event in self.events[since:]]
            raise Failure(f"no {kind} {fields or ''} within {seconds} s; there were {seen}") from None

    @property
    def now(self):
        return len(self.events)

    def audio_ms(self, item_id):
        return sum(len(base64.b64decode(event.delta)) for event in self.events
                   if event.type == "response.output_audio.delta" and event.item_id == item_id) // BYTES_PER_MS
