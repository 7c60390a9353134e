"""Runs the peer as a program against a small host, which is written from docs/dat-bridge.md as well."""

import asyncio
import json
import os
import pathlib
import secrets
import stat
import sys
import tempfile
import unittest

import handshake
import links
from framing import encode

CODE = "K7QM2XWD9F"
HOST = "5f0c9a3e7b1d4426"
HERE = pathlib.Path(__file__).resolve().parent
SECONDS = 20


class Host:
    """The other end: greets, and collects what comes."""

    def __init__(self, scheme="tcp"):
        self.listener = links.Listener(links.Address(f"{scheme}://127.0.0.1:0"))
        self.scheme, self.keys, self.wire = scheme, {}, None
        self.hello = {}

    async def start(self):
        self.url = f"{self.scheme}://127.0.0.1:{await self.listener.start()}"

    async def accept(self):
        self.wire = links.Wire(await self.listener.accept(SECONDS))
        self.hello, _ = await self.wire.receive(SECONDS)

    async def challenge(self, **changes):
        self.nonce = secrets.token_hex(32)
        await self.wire.send({"kind": "challenge", "version": 1, "name": "bench", "host": HOST, "nonce": self.nonce,
                              "rounds": 100_000, **changes})

    async def greet(self, heartbeat=0):
        await self.accept()
        await self.challenge()
        hello = self.hello
        if hello["secret"] == "code":
            key = handshake.derive(CODE, hello["nonce"], self.nonce, 100_000)
        else:
            key = self.keys[hello["peer"]]
        text = handshake.transcript(1, hello["versions"], hello["peer"], HOST, hello["secret"], hello["nonce"], self.nonce)
        proof, _ = await self.wire.receive(SECONDS)
        if proof["proof"] != handshake.proof(key, "phone", text).hex():
            await self.wire.send({"kind": "refused", "code": "proof", "message": "wrong"})
            raise AssertionError("the phone's proof is wrong")
        if hello["secret"] == "code":
            self.keys[hello["peer"]] = handshake.proof(key, "key", text)
        await self.wire.send({"kind": "welcome", "version": 1, "name": "bench", "heartbeat": heartbeat,
                              "proof": handshake.proof(key, "host", text).hex()})
        return [(await self.next())[0] for _ in range(3)]

    async def next(self):
        return await self.wire.receive(SECONDS)

    async def until(self, kind, others=None):
        """The next message of that kind; those before it go to `others`."""
        while True:
            header, payload = await self.next()
            if header["kind"] == kind:
                return header, payload
            if others is not None:
                others.append(header["kind"])

    async def command(self, kind, payload=b"", **fields):
        await self.wire.send({"kind": kind, **fields}, payload)

    async def stream(self, session=1, stream=1, device="AB-1", rate=30, **fields):
        await self.command("session.open", session=session, device=device, takesOver=False)
        await self.until("session.started")
        await self.command("stream.start", session=session, stream=stream, coding="i420", width=360, height=640,
                           framesPerSecond=rate, **fields)
        await self.until("stream.started")


class Program:
    """The peer as a process of its own."""

    async def start(self, folder, *options, code=CODE):
        environment = {**os.environ, "DAT_PEER_CODE": code}
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, "-B", str(HERE), "--state", os.path.join(folder, "state"), "--deadline", "60", *options,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, env=environment)
        return self

    def say(self, line):
        self.process.stdin.write(line.encode() + b"\n")

    async def event(self, name):
        while True:
            line = await asyncio.wait_for(self.process.stdout.readline(), SECONDS)
            if not line:
                raise AssertionError(f"no event {name}")
            event = json.loads(line)
            if event["event"] == name:
                return event

    async def end(self, line="quit"):
        if line:
            self.say(line)
        output, _ = await asyncio.wait_for(self.process.communicate(), SECONDS)
        return self.process.returncode, output


class Loopback(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.started = []

    async def asyncTearDown(self):
        for program in self.started:
            if program.process.returncode is None:
                program.process.kill()
                await program.process.wait()

    async def both(self, scheme="tcp", *options, **settings):
        host = Host(scheme)
        await host.start()
        program = await Program().start(self.folder, "--connect", host.url, *options, **settings)
        self.started.append(program)
        return host, program

    async def test_pairs_and_returns(self):
        for scheme in ("tcp", "ws"):
            with self.subTest(scheme=scheme), tempfile.TemporaryDirectory() as self.folder:
                host, program = await self.both(scheme)
                first = await host.greet()
                self.assertEqual([each["kind"] for each in first], ["available", "registration", "devices"])
                self.assertEqual(host.hello["secret"], "code")
                self.assertEqual(stat.S_IMODE(os.stat(os.path.join(self.folder, "state")).st_mode), 0o600)
                program.say("reconnect")
                self.assertEqual((await host.next())[0]["kind"], "bye")
                await host.wire.link.close()
                await host.greet()
                self.assertEqual(host.hello["secret"], "key")
                status, output = await program.end()
                self.assertEqual(status, 0)
                self.assertNotIn(CODE.encode(), output)
                self.assertNotIn(host.keys[host.hello["peer"]].hex().encode(), output)

    async def test_listens(self):
        for scheme in ("tcp", "ws"):
            with self.subTest(scheme=scheme), tempfile.TemporaryDirectory() as self.folder:
                program = await Program().start(self.folder, "--listen", f"{scheme}://127.0.0.1:0")
                self.started.append(program)
                port = (await program.event("listening"))["port"]
                host = Host()
                link = await links.connect(links.Address(f"{scheme}://127.0.0.1:{port}"))
                host.wire = links.Wire(link)
                self.assertEqual((await host.next())[0]["kind"], "hello")
                await link.close()
                await program.event("closed")
                self.assertEqual((await program.end())[0], 3)

    async def test_streams_within_credit(self):
        for scheme in ("tcp", "ws"):
            with self.subTest(scheme=scheme), tempfile.TemporaryDirectory() as self.folder:
                host, program = await self.both(scheme)
                await host.greet()
                await host.command("credit", frames=4)
                await host.stream()
                pictures = [await host.until("frame") for _ in range(4)]
                times = [header["time"] for header, _ in pictures]
                self.assertEqual(times, sorted(times))
                self.assertTrue(all(len(payload) == 360 * 640 * 3 // 2 for _, payload in pictures))
                self.assertEqual(len({payload for _, payload in pictures}), 4)
                await asyncio.sleep(0.5)
                await host.command("ping")
                self.assertEqual((await host.next())[0]["kind"], "pong")
                await host.command("credit", frames=1)
                late, _ = await host.until("frame")
                self.assertGreater(late["time"] - times[-1], 100_000_000)
                await host.command("stream.stop", session=1, stream=1)
                self.assertNotIn("refusal", (await host.until("stream.ended"))[0])
                self.assertGreater((await program.event("stream_totals"))["dropped"], 0)
                self.assertEqual((await program.end())[0], 0)

    async def test_pace_and_sound(self):
        host, program = await self.both()
        await host.greet()
        await host.command("credit", frames=100)
        await host.stream(rate=15, audio=True)
        pictures, sound = [], []
        while len(pictures) < 16:
            header, payload = await host.next()
            (pictures if header["kind"] == "frame" else sound).append((header, payload))
        self.assertAlmostEqual(pictures[-1][0]["time"] / 1e9, 1.0, delta=0.3)
        self.assertGreater(len(sound), 5)
        self.assertEqual(len(sound[0][1]), 3200)
        await program.end()

    async def test_fold_ends_in_order(self):
        host, program = await self.both("tcp", "--photo-seconds", "30")
        await host.greet()
        await host.stream(device="AB-2")
        await host.command("display.start", session=1)
        await host.until("display.started")
        await host.command("photo.capture", session=1, request=1, format="jpeg")
        await program.event("sent")
        await host.command("view.show", b'{"a":1}', session=1, request=2)
        await host.until("view.shown")
        program.say("view-tap button-1")
        self.assertEqual((await host.until("view.tapped"))[0]["element"], "button-1")
        program.say("fold")
        kinds = []
        device, _ = await host.until("device", kinds)
        self.assertEqual(kinds, ["stream.ended", "photo.failed", "display.ended", "session.ended"])
        self.assertEqual(device["device"]["state"]["hinges"], "closed")
        await host.command("session.open", session=2, device="AB-2", takesOver=False)
        self.assertEqual((await host.next())[0]["refusal"]["check"], "hinges")
        program.say("unfold AB-2")
        await host.until("device")
        await host.command("session.open", session=3, device="AB-2", takesOver=False)
        await host.until("session.started")
        await program.end()

    async def test_tap_and_hold(self):
        host, program = await self.both()
        await host.greet()
        await host.stream()
        program.say("tap")
        self.assertEqual([(await host.next())[0]["kind"] for _ in range(2)], ["stream.paused", "session.paused"])
        await host.command("stream.hold", session=1, stream=1, held=True)
        await host.until("stream.paused")
        program.say("tap")
        self.assertEqual((await host.next())[0]["kind"], "session.resumed")
        await host.command("credit", frames=4)
        await host.command("stream.hold", session=1, stream=1, held=False)
        self.assertEqual((await host.next())[0]["kind"], "stream.resumed")
        self.assertEqual((await host.next())[0]["kind"], "frame")
        await program.end()

    async def test_photo_and_half_of_one(self):
        for scheme in ("tcp", "ws"):
            with self.subTest(scheme=scheme), tempfile.TemporaryDirectory() as self.folder:
                host, program = await self.both(scheme)
                await host.greet()
                await host.stream()
                await host.command("photo.capture", session=1, request=1, format="jpeg")
                _, photo = await host.until("photo")
                self.assertEqual((photo[:2], photo[-2:]), (b"\xff\xd8", b"\xff\xd9"))
                program.say("cut-in-photo")
                await program.event("done")
                await host.command("photo.capture", session=1, request=2, format="jpeg")
                with self.assertRaisesRegex(links.Gone, "inside"):
                    await host.until("photo")
                await program.event("closed")
                program.say("reconnect")
                await host.greet()
                self.assertEqual(host.hello["secret"], "key")
                program.say("cut")
                with self.assertRaises(links.Gone):
                    await host.next()
                self.assertEqual((await program.end())[0], 0)

    async def test_takes_over_and_loses_the_toolkit(self):
        host, program = await self.both()
        await host.greet()
        await host.stream()
        await host.command("session.open", session=2, device="AB-1", takesOver=True)
        kinds = []
        await host.until("session.started", kinds)
        self.assertEqual(kinds, ["stream.ended", "session.ended"])
        program.say("unavailable")
        self.assertEqual((await host.next())[0]["kind"], "unavailable")
        await host.command("session.open", session=3, device="AB-1", takesOver=False)
        self.assertEqual((await host.next())[0]["refusal"]["check"], "power")
        program.say("available")
        self.assertEqual([(await host.next())[0]["kind"] for _ in range(3)], ["available", "registration", "devices"])
        await host.command("session.open", session=3, device="AB-1", takesOver=False)
        self.assertEqual((await program.event("breach"))["why"], "session.open: the id of a session was used before")
        self.assertEqual((await program.end())[0], 5)

    async def test_registration(self):
        host, program = await self.both("tcp", "--unregistered")
        self.assertEqual((await host.greet())[1]["state"], "available")
        program.say("offer My app")
        offer, _ = await host.next()
        self.assertEqual(offer["appName"], "My app")
        await host.command("registration.answer", request=offer["request"], accepted=True)
        self.assertEqual((await host.next())[0]["state"], "registered")
        await host.command("unregister")
        self.assertEqual((await host.next())[0]["state"], "available")
        await program.end()

    async def test_refusals(self):
        host, program = await self.both()
        await host.greet()
        program.say("permission camera denied")
        await program.event("done")
        await host.command("permission.request", permission="camera", request=1)
        self.assertEqual((await host.next())[0], {"kind": "permission", "request": 1, "status": "denied"})
        for kind, answer, fields in (("session.close", "session.ended", {}), ("stream.stop", "stream.ended", {"stream": 4}),
                                     ("display.start", "display.ended", {}), ("view.clear", "view.failed", {"request": 5})):
            await host.command(kind, session=9, **fields)
            header, _ = await host.next()
            self.assertEqual((header["kind"], header["refusal"]["check"]), (answer, "notFound"))
        await program.end()

    async def test_greeting_refused(self):
        for refusal, status in (({"code": "no_code"}, 4), ({"code": "news"}, 4), ({"code": 1}, 5)):
            host, program = await self.both("tcp", "--once")
            await host.accept()
            await host.wire.send({"kind": "refused", "message": "no", **refusal})
            self.assertEqual((await program.end(None))[0], status)

    async def test_forged_welcome_and_few_rounds(self):
        host, program = await self.both("tcp", "--once")
        await host.accept()
        await host.challenge(rounds=1000)
        self.assertEqual((await program.end(None))[0], 5)
        host, program = await self.both("tcp", "--once")
        await host.accept()
        await host.challenge()
        await host.next()
        await host.wire.send({"kind": "welcome", "version": 1, "name": "x", "heartbeat": 0, "proof": "00" * 32})
        self.assertEqual((await program.end(None))[0], 5)
        with open(os.path.join(self.folder, "state"), encoding="ascii") as file:
            self.assertEqual(json.load(file)["keys"], {})

    async def test_hostile_bytes(self):
        deep = b'{"kind":"ping","x":' + b"[" * 60_000 + b"}"
        for data in (b"HTTP/1.1 200 OK\r\n", b"DAT\x01\xff\xff\xff\xff\0\0\0\0", encode({"kind": "credit", "frames": 0}),
                     b"DAT\x01" + len(deep).to_bytes(4, "big") + b"\0\0\0\0" + deep):
            host, program = await self.both("tcp", "--once")
            # A message that is wrong after the greeting only, and bytes that are wrong at any time.
            await (host.greet() if data[-1:] == b"}" else host.accept())
            await host.wire.link.write(data)
            self.assertEqual((await program.end(None))[0], 5, data[:40])
            os.remove(os.path.join(self.folder, "state"))

    async def test_text_over_websocket(self):
        host, program = await self.both("ws", "--once")
        await host.greet()
        host.wire.link.writer.write(b"\x81\x02hi")
        self.assertEqual((await program.end(None))[0], 5)

    async def test_heartbeat(self):
        host, program = await self.both("tcp", "--once")
        await host.greet(heartbeat=1)
        kinds = []
        with self.assertRaises(links.Gone):
            await host.until("never", kinds)
        self.assertEqual(kinds, ["ping", "ping"])
        self.assertIn("silent", (await program.event("closed"))["why"])


if __name__ == "__main__":
    unittest.main()
