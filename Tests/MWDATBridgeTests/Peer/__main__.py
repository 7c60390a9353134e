"""A phone that is not one: the other end of docs/dat-bridge.md, for tests in any language."""

import argparse
import asyncio
import json
import os
import sys
import threading

import cues
import handshake
import links
import pictures
from framing import Breach, encode
from phone import Phone, Visit
from store import Store, StoreError

USAGE, UNREACHABLE, REFUSED, BREACH, DEADLINE = 2, 3, 4, 5, 6
ATTEMPTS = 8
LONGEST_RETRY = 30
CODE_VARIABLE = "DAT_PEER_CODE"
EPILOG = cues.HELP + f"""
standard output: one JSON object per line, whose member `event` says what happened.

exit codes: 0 done; {USAGE} wrong options or an unusable file; as the last connection ended: {UNREACHABLE} it could not be
opened or broke before the greeting was over, {REFUSED} the host refused or a code is needed, {BREACH} the host broke the
protocol; {DEADLINE} the time was over
"""


def address(url):
    try:
        return links.Address(url)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def parse_options():
    parser = argparse.ArgumentParser(prog="Peer", description=__doc__, epilog=EPILOG,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    way = parser.add_mutually_exclusive_group(required=True)
    way.add_argument("--connect", metavar="URL", type=address,
                     help="tcp://HOST:PORT, ws://HOST:PORT or wss://HOST:PORT")
    way.add_argument("--listen", metavar="URL", type=address, help="the same, without wss; port 0 takes a free one")
    parser.add_argument("--state", metavar="FILE", required=True, help="keeps this phone's identifier and keys; mode 0600")
    parser.add_argument("--code-file", metavar="FILE", help=f"a file with the code; else the environment's {CODE_VARIABLE}")
    parser.add_argument("--authority", metavar="FILE", help="certificates that wss trusts")
    parser.add_argument("--name", default="Scripted phone")
    parser.add_argument("--app-version", default="1.0")
    parser.add_argument("--photo", metavar="FILE", help="a JPEG; else a tiny grey one")
    parser.add_argument("--photo-seconds", type=float, default=0.2, help="how long a photo takes (0.2)")
    parser.add_argument("--unregistered", action="store_true", help="begin with an app that is not registered")
    parser.add_argument("--once", action="store_true", help="end when the first connection has ended")
    parser.add_argument("--deadline", type=float, default=600, help="seconds after which to end in any case (600)")
    return parser.parse_args()


def read_files(options):
    """The contents of the files that the options name."""
    options.code = os.environ.pop(CODE_VARIABLE, "")
    if options.code_file:
        with open(options.code_file, encoding="ascii") as file:
            options.code = file.read(100)
    if options.code and handshake.normal_code(options.code) is None:
        raise ValueError("the code is not ten of its letters")
    if len(options.name.encode("utf-8")) > 128:
        raise ValueError("the name is longer than 128 bytes")
    if options.photo:
        with open(options.photo, "rb") as file:
            options.photo = file.read(16_777_217)
        encode({"kind": "photo"}, options.photo)
    else:
        options.photo = pictures.tiny_jpeg()
    return options


def report(event, **details):
    print(json.dumps({"event": event, **details}), flush=True)


class Driver:
    """Brings lines and connections together."""

    def __init__(self, options, store):
        self.options, self.store = options, store
        self.code = handshake.normal_code(options.code)
        self.phone = Phone(options, report)
        self.lines = asyncio.Queue(1000)
        self.visit = self.wire = self.task = self.listener = None
        self.outcome = 0

    async def run(self):
        threading.Thread(target=self._read_lines, args=(asyncio.get_running_loop(),), daemon=True).start()
        if self.options.listen:
            self.listener = links.Listener(self.options.listen)
            report("listening", port=await self.listener.start())
        self._begin()
        try:
            await asyncio.wait_for(self._follow(), self.options.deadline)
        except asyncio.TimeoutError:
            report("deadline")
            self.outcome = DEADLINE
        await self._stop()
        return self.outcome

    def _read_lines(self, loop):
        # A thread, because standard input may be a file, which no event loop can wait for.
        try:
            for line in sys.stdin:
                asyncio.run_coroutine_threadsafe(self.lines.put(line.strip()), loop).result()
            asyncio.run_coroutine_threadsafe(self.lines.put("quit"), loop).result()
        except (RuntimeError, UnicodeDecodeError, asyncio.CancelledError):
            pass

    async def _follow(self):
        while True:
            waits = {asyncio.ensure_future(self.lines.get())} | ({self.task} if self.options.once else set())
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            line_task = next(each for each in waits if each is not self.task)
            if not line_task.done():
                line_task.cancel()
                return
            if await self._line(line_task.result()):
                return

    async def _line(self, line):
        """Follows a line; True when it is time to end."""
        if not line:
            return False
        try:
            if line == "quit":
                return True
            if line in ("cut", "bye", "cut-in-photo", "reconnect") or line.startswith("code "):
                await self._connection_line(line)
            else:
                cues.follow(self.phone, self.visit, line)
            report("done", line=line.split()[0])
        except cues.CueError as error:
            report("line_refused", line=line.split()[0], why=str(error))
        return False

    async def _connection_line(self, line):
        if line.startswith("code "):
            self.code = cues.need(handshake.normal_code(line[5:]), "such code: it has ten letters")
        elif line == "cut-in-photo":
            self.phone.cut_in_photo = True
        elif line == "reconnect":
            await self._hang_up()
            self._begin()
        elif line == "cut":
            cues.need(self.wire, "connection").link.abort()
        else:
            cues.need(self.visit, "connection").outbox.post_bytes(encode({"kind": "bye"}), last=True)

    def _begin(self):
        self.task = asyncio.create_task(self._connect())

    async def _hang_up(self):
        """Ends the connection that there is, politely where it is open."""
        if self.visit:
            self.visit.outbox.post_bytes(encode({"kind": "bye"}), last=True)
            await asyncio.wait({self.task}, timeout=5)
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)

    async def _stop(self):
        outcome = self.outcome
        await self._hang_up()
        self.outcome = outcome or self.outcome

    async def _connect(self):
        """Greets until it worked or cannot work, and stays until the connection ends."""
        secret = "key" if self.store.has_keys else "code"
        for _ in range(ATTEMPTS):
            if secret == "code" and not self.code:
                self.outcome = REFUSED
                return report("closed", why="a code is needed")
            secret, wait = await self._attempt(secret)
            if secret is None:
                return None
            await asyncio.sleep(wait)
        return report("closed", why="too many attempts")

    async def _attempt(self, secret):
        """One connection; gives the secret and the seconds for a next attempt, or None when there is none."""
        try:
            self.outcome = UNREACHABLE
            why = await self._visit(secret)
            self.outcome = 0
            report("closed", why=why or "this side closed")
        except handshake.UnknownHost:
            report("closed", why="no key for this host")
            return "code", 0
        except handshake.Refused as refused:
            self.outcome = REFUSED
            report("refused", code=refused.code, message=refused.message[:500], retryAfter=refused.retry_after)
            return self._after_refusal(refused, secret)
        except links.Gone as gone:
            report("closed", why=str(gone))
        except Breach as breach:
            self.outcome = BREACH
            report("breach", why=str(breach)[:500])
        except StoreError as error:
            self.outcome = USAGE
            report("closed", why=str(error))
        return None, 0

    def _after_refusal(self, refused, secret):
        """What the table of section 3 advises, without a person. The key stays until another pairing gives a new one."""
        if refused.code in ("unknown_peer", "proof") and secret == "key" and self.code:
            return "code", 0
        if refused.code in ("slow_down", "occupied", "closing") and refused.retry_after is not None:
            return secret, min(refused.retry_after / 1000, LONGEST_RETRY)
        return None, 0

    async def _open(self):
        if self.listener:
            return await self.listener.accept(self.options.deadline)
        return await links.connect(self.options.connect, self.options.authority)

    async def _visit(self, secret):
        link = await self._open()
        self.wire = links.Wire(link)
        report("connected", secret=secret)
        try:
            welcome, host = await handshake.greet(self.wire, self.store, self.phone.name, self.phone.version, self.code, secret)
            report("greeted", host=host, name=welcome["name"][:500], version=welcome["version"], heartbeat=welcome["heartbeat"])
            # A connection that breaks after the greeting is what tests cause: no failure of this side.
            self.outcome = 0
            self.visit = Visit(self.phone, self.wire, welcome["heartbeat"])
            return await self.visit.run()
        finally:
            self.visit = self.wire = None
            await link.close()


def main():
    options = parse_options()
    try:
        read_files(options)
        driver_store = Store(options.state)
    except (OSError, ValueError, StoreError) as error:
        print(f"Peer: {error}", file=sys.stderr)
        return USAGE
    try:
        return asyncio.run(_run(options, driver_store))
    except (OSError, ValueError, StoreError) as error:
        print(f"Peer: {error}", file=sys.stderr)
        return USAGE
    except (KeyboardInterrupt, BrokenPipeError):
        return UNREACHABLE


async def _run(options, store):
    return await Driver(options, store).run()


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    # Not sys.exit(): the thread that waits for standard input would keep the interpreter from ending cleanly.
    os._exit(code)
