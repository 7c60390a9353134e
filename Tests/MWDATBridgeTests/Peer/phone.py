"""The scripted phone: sections 5 and 6 of docs/dat-bridge.md."""

import asyncio
import json
import time

import glasses
import messages
import pictures
from framing import Breach, encode
from links import Gone
from messages import refusal
from outbox import Outbox

AUDIO_SECONDS = 0.1
REMEMBERED_IDS = 65_536
LARGEST_PRINTED = 2_000


class Phone:
    """What outlasts a connection."""

    def __init__(self, options, report):
        self.name, self.version = options.name, options.app_version
        self.photo, self.photo_seconds = options.photo, options.photo_seconds
        self.report = report
        self.glasses = glasses.both()
        self.permissions = {"camera": "granted", "microphone": "granted"}
        self.registered = not options.unregistered
        self.available = True
        self.cut_in_photo = False
        self.mute = False

    def find(self, identifier):
        return next((each for each in self.glasses if each.identifier == identifier), None)


class Stream:
    def __init__(self, fields):
        self.id, self.width, self.height = fields["stream"], fields["width"], fields["height"]
        self.rate, self.audio = fields["framesPerSecond"], bool(fields["audio"])
        self.held = False
        self.began = time.monotonic()
        self.sent = self.dropped = 0
        self.tasks = []


class Session:
    def __init__(self, identifier, device):
        self.id, self.device = identifier, device
        self.paused = self.display = False
        self.stream = self.photo = self.photo_task = None

    @property
    def stream_rests(self):
        return self.paused or self.stream.held

    @property
    def tasks(self):
        return ([self.photo_task] if self.photo_task else []) + (self.stream.tasks if self.stream else [])


class Visit:
    """One connection after its greeting."""

    def __init__(self, phone, wire, heartbeat):
        self.phone, self.wire, self.heartbeat = phone, wire, heartbeat
        self.outbox = Outbox(wire)
        self.sessions = {}
        self.used = {"session": set(), "stream": set(), "request": set()}
        self.offers = 0
        self.heard = time.monotonic()

    # The connection

    async def run(self):
        """Until the connection ends; gives the reason, or raises Gone or Breach."""
        self.announce()
        tasks = [asyncio.create_task(each) for each in (self._listen(), self.outbox.run(), self._beat())]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            return next(iter(done)).result()
        finally:
            # Everything ends with the connection, so that the glasses are free.
            for task in tasks + [each for session in self.sessions.values() for each in session.tasks]:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            if self.sessions:
                self.phone.report("sessions_stopped", sessions=sorted(self.sessions))
            self.sessions.clear()

    async def _listen(self):
        while True:
            header, payload = await self.wire.receive()
            self.heard = time.monotonic()
            message = messages.read(header, payload)
            if message is None:
                self.phone.report("skipped", kind=header["kind"][:100])
                continue
            kind, fields = message
            if kind == "bye":
                self.phone.report("received", kind=kind, fields=fields)
                return "the host said bye"
            self.take(kind, fields, payload)

    async def _beat(self):
        """Asks for a sign of life after each interval of silence, and gives up after the third."""
        asked = 0
        while True:
            await asyncio.sleep(self.heartbeat / 4 if self.heartbeat else 3600)
            if not self.heartbeat:
                continue
            silent = int((time.monotonic() - self.heard) / self.heartbeat)
            if silent >= 3:
                raise Gone("the host has been silent for too long")
            if silent > asked:
                self.send("ping")
            asked = silent

    # Sending

    def send(self, kind, payload=b"", **fields):
        fields = {name: value for name, value in fields.items() if value is not None}
        self.phone.report("sent", kind=kind, fields=fields, payload=len(payload))
        self.outbox.post({"kind": kind, **fields}, payload)

    def announce(self):
        """What must be said after `welcome`, and when the toolkit is back."""
        if not self.phone.available:
            self.send("unavailable", refusal=refusal("power", "Bluetooth is off"))
        else:
            self.send("available", name=self.phone.name, version=self.phone.version)
        self.send_registration()
        self.send("devices", devices=[each.fields for each in self.phone.glasses] if self.phone.available else [])

    def send_registration(self, why=None):
        state = "registered" if self.phone.registered else "available"
        self.send("registration", state=state if self.phone.available else "unavailable", refusal=why)

    # Commands

    def take(self, kind, fields, payload):
        if kind in messages.GREETING:
            raise Breach(f"{kind} came after the greeting")
        if kind != "credit":
            self.report_received(kind, fields, payload)
        self.note_id(kind, fields)
        if "session" in fields and kind != "session.open":
            return self.take_in_session(kind, fields, payload)
        if not self.phone.available and kind in self.REFUSALS:
            return self.refuse(kind, fields, "power", "Bluetooth is off")
        return getattr(self, "on_" + kind.replace(".", "_").lower())(fields)

    def report_received(self, kind, fields, payload):
        # A companion's URL may carry a token: its length has to do.
        shown = {"url": len(fields["url"])} if kind == "url.opened" else fields
        text = payload.decode("utf-8", "replace") if kind == "view.show" and len(payload) <= LARGEST_PRINTED else None
        self.phone.report("received", kind=kind, fields=shown, payload=len(payload), **({"view": text} if text else {}))

    def note_id(self, kind, fields):
        """No id of a session, stream or request is used twice on a connection."""
        introduces = {"session.open": "session", "stream.start": "stream"}.get(kind)
        if introduces is None and "request" in fields and kind != "registration.answer":
            introduces = "request"
        if introduces is None:
            return
        used = self.used[introduces]
        if fields[introduces] in used:
            raise Breach(f"{kind}: the id of a {introduces} was used before")
        if len(used) < REMEMBERED_IDS:
            used.add(fields[introduces])

    REFUSALS = {"session.open": "session.ended", "session.close": "session.ended",
                "stream.start": "stream.ended", "stream.stop": "stream.ended", "stream.hold": "stream.ended",
                "photo.capture": "photo.failed", "display.start": "display.ended", "display.stop": "display.ended",
                "view.show": "view.failed", "view.clear": "view.failed", "permission.check": "permission.failed",
                "permission.request": "permission.failed", "update.open": "navigation"}

    def refuse(self, kind, fields, check, message="the scripted phone cannot do that"):
        answer = self.REFUSALS.get(kind)
        # stream.keyFrame and playback.stop have no answer, so none that refuses either.
        if answer:
            ids = {name: fields[name] for name in ("session", "stream", "request") if name in fields}
            self.send(answer, **ids, refusal=refusal(check, message))

    def take_in_session(self, kind, fields, payload):
        session = self.sessions.get(fields["session"])
        if session is None:
            return self.refuse(kind, fields, "notFound", "there is no such session")
        if kind in ("stream.stop", "stream.hold", "stream.keyFrame"):
            if session.stream is None or session.stream.id != fields["stream"]:
                return self.refuse(kind, fields, "notFound", "there is no such stream")
        handler = getattr(self, "on_" + kind.replace(".", "_").lower())
        return handler(session, fields, payload) if kind == "view.show" else handler(session, fields)

    def on_ping(self, _):
        if not self.phone.mute:
            self.send("pong")

    def on_pong(self, _):
        pass

    def on_credit(self, fields):
        self.outbox.add_credit(fields["frames"])

    def on_register(self, _):
        self.set_registered(True)

    def set_registered(self, registered):
        if not self.phone.available:
            return self.send_registration(refusal("power", "Bluetooth is off"))
        self.phone.registered = registered
        return self.send_registration()

    def on_register_cancel(self, _):
        pass

    def on_unregister(self, _):
        self.set_registered(False)

    def on_url_opened(self, _):
        pass

    def on_registration_answer(self, fields):
        # Only what was offered can be accepted.
        if 1 <= fields["request"] <= self.offers and fields["accepted"]:
            self.set_registered(True)

    def on_permission_check(self, fields, asks=False):
        status = self.phone.permissions[fields["permission"]]
        if status == "fail":
            return self.refuse("permission.check", fields, "companion")
        if status == "ask" and asks:
            status = self.phone.permissions[fields["permission"]] = "granted"
        return self.send("permission", request=fields["request"], status="granted" if status == "granted" else "denied")

    def on_permission_request(self, fields):
        self.on_permission_check(fields, asks=True)

    def on_update_open(self, fields):
        self.send("navigation", request=fields["request"])

    def on_session_open(self, fields):
        device = self.phone.find(fields["device"])
        if device is None:
            return self.refuse("session.open", fields, "notFound", "there are no such glasses")
        if not self.phone.registered:
            return self.refuse("session.open", fields, "configuration", "the app is not registered")
        if device.hindrance:
            return self.refuse("session.open", fields, device.hindrance)
        holder = next((each for each in self.sessions.values() if each.device is device), None)
        if holder and not fields["takesOver"]:
            return self.refuse("session.open", fields, "occupied")
        if holder:
            self.end_session(holder, refusal("occupied", "another session took over"))
        self.sessions[fields["session"]] = Session(fields["session"], device)
        return self.send("session.started", session=fields["session"])

    def on_session_close(self, session, _):
        self.end_session(session, None)

    def on_stream_start(self, session, fields):
        if session.stream:
            return self.refuse("stream.start", fields, "occupied", "a stream runs in this session")
        if self.phone.permissions["camera"] != "granted":
            return self.refuse("stream.start", fields, "permission")
        if (fields["width"], fields["height"]) not in messages.SIZES or fields["framesPerSecond"] not in messages.RATES:
            return self.refuse("stream.start", fields, "media", "the camera has no such size or rate")
        if fields["coding"] != "i420":
            return self.refuse("stream.start", fields, "sdkVersion", "this phone sends i420 only")
        stream = session.stream = Stream(fields)
        self.send("stream.started", session=session.id, stream=stream.id)
        if session.paused:
            self.send("stream.paused", session=session.id, stream=stream.id)
        stream.tasks = [asyncio.create_task(self._pictures(session, stream))]
        if stream.audio:
            stream.tasks.append(asyncio.create_task(self._sound(session, stream)))

    def on_stream_stop(self, session, _):
        self.end_stream(session, None)
        self.fail_photo(session, refusal("notFound", "the stream has ended"))

    def on_stream_keyframe(self, session, _):
        # Every picture of i420 is one.
        pass

    def on_stream_hold(self, session, fields):
        """Answered by what the stream does from now on, even when nothing changed."""
        session.stream.held = fields["held"]
        if session.stream_rests:
            self.outbox.discard(session.stream)
        kind = "stream.paused" if session.stream_rests else "stream.resumed"
        self.send(kind, session=session.id, stream=session.stream.id)

    def on_photo_capture(self, session, fields):
        if session.stream is None:
            return self.refuse("photo.capture", fields, "notFound", "no stream runs")
        if fields["format"] != "jpeg":
            return self.refuse("photo.capture", fields, "sdkVersion", "this phone takes jpeg only")
        if session.photo is not None:
            return self.refuse("photo.capture", fields, "occupied", "a photo is being taken")
        session.photo = fields["request"]
        session.photo_task = asyncio.create_task(self._photo(session))

    def on_display_start(self, session, fields):
        if not session.device.display:
            return self.refuse("display.start", fields, "compatibility", "these glasses have no display")
        session.display = True
        return self.send("display.started", session=session.id)

    def on_display_stop(self, session, fields):
        if not session.display:
            return self.refuse("display.stop", fields, "notFound", "no display runs")
        session.display = False
        return self.send("display.ended", session=session.id)

    def on_view_show(self, session, fields, payload):
        if not session.display:
            return self.refuse("view.show", fields, "notFound", "no display runs")
        try:
            json.loads(payload.decode("utf-8"))
        except (ValueError, RecursionError):
            return self.refuse("view.show", fields, "media", "the view is no JSON")
        return self.send("view.shown", session=session.id, request=fields["request"])

    def on_view_clear(self, session, fields):
        if not session.display:
            return self.refuse("view.clear", fields, "notFound", "no display runs")
        return self.send("view.shown", session=session.id, request=fields["request"])

    def on_playback_stop(self, session, _):
        self.send("playback", session=session.id, playback="stopped")

    # What runs by itself

    async def _pictures(self, session, stream):
        pattern, number = pictures.Pattern(stream.width, stream.height), 0
        while True:
            if not session.stream_rests:
                elapsed = int((time.monotonic() - stream.began) * 1e9)
                header = {"kind": "frame", "session": session.id, "stream": stream.id, "coding": "i420", "width": stream.width,
                          "height": stream.height, "time": elapsed, "keyFrame": True, "parameters": 0}
                self.outbox.post_picture(stream, header, pattern.picture(number))
            number += 1
            # Paced by the stream's beginning, so that late pictures do not add up.
            await asyncio.sleep(max(0.001, stream.began + number / stream.rate - time.monotonic()))

    async def _sound(self, session, stream):
        count, number = int(AUDIO_SECONDS * pictures.SAMPLE_RATE), 0
        while True:
            if not session.stream_rests:
                header = {"kind": "audio", "session": session.id, "stream": stream.id, "sampleRate": pictures.SAMPLE_RATE,
                          "time": int(number * AUDIO_SECONDS * 1e9)}
                self.outbox.post(header, pictures.tone(number * count, count))
            number += 1
            await asyncio.sleep(max(0.001, stream.began + number * AUDIO_SECONDS - time.monotonic()))

    async def _photo(self, session):
        await asyncio.sleep(self.phone.photo_seconds)
        request, session.photo, session.photo_task = session.photo, None, None
        if not self.phone.cut_in_photo:
            return self.send("photo", self.phone.photo, session=session.id, request=request, format="jpeg")
        self.phone.cut_in_photo = False
        data = encode({"kind": "photo", "session": session.id, "request": request, "format": "jpeg"}, self.phone.photo)
        self.wire.link.be_silent()
        self.phone.report("cut_in_photo", bytes=len(data) // 2, of=len(data))
        return self.outbox.post_bytes(data[:len(data) // 2], last=True)

    # Endings, in the order of section 5.1

    def end_stream(self, session, why):
        stream = session.stream
        if stream is None:
            return
        for task in stream.tasks:
            task.cancel()
        self.outbox.discard(stream)
        session.stream = None
        self.send("stream.ended", session=session.id, stream=stream.id, refusal=why)
        self.phone.report("stream_totals", stream=stream.id, sent=stream.sent, dropped=stream.dropped)

    def fail_photo(self, session, why):
        if session.photo is None:
            return
        session.photo_task.cancel()
        request, session.photo, session.photo_task = session.photo, None, None
        self.send("photo.failed", session=session.id, request=request, refusal=why)

    def end_session(self, session, why):
        self.end_stream(session, why)
        self.fail_photo(session, why or refusal("notFound", "the session was closed"))
        if session.display:
            session.display = False
            self.send("display.ended", session=session.id, refusal=why)
        del self.sessions[session.id]
        self.send("session.ended", session=session.id, refusal=why)

    def pause(self, session, paused):
        """What it carries pauses before it, and resumes after it."""
        if session.paused == paused:
            return
        session.paused = paused
        stream = session.stream
        changes = stream and not stream.held
        if paused and changes:
            self.outbox.discard(stream)
            self.send("stream.paused", session=session.id, stream=stream.id)
        self.send("session.paused" if paused else "session.resumed", session=session.id)
        if not paused and changes:
            self.send("stream.resumed", session=session.id, stream=stream.id)
