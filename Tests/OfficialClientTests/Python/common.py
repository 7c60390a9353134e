"""What both official clients share: the plan that the test drew, the recorded events and the report."""

import asyncio
import json
import sys
import time
import wave

RATE = 24_000
BYTES_PER_MS = RATE * 2 // 1_000
PIECE_MS = 20


class Failure(Exception):
    """Something that the gateway did wrong."""


def require(condition, sentence):
    if not condition:
        raise Failure(sentence)


def load_plan():
    with open(sys.argv[1], encoding="utf-8") as file:
        return json.load(file)


def speech(path, rate=RATE):
    """The samples of a mono WAV file at this rate, as bytes."""
    with wave.open(path, "rb") as file:
        require(file.getnchannels() == 1 and file.getsampwidth() == 2, f"{path} is not mono PCM16")
        require(file.getframerate() == rate, f"{path} is not at {rate} Hz")
        return file.readframes(file.getnframes())


async def speak(send, samples, until):
    """Sends speech in real time and silence behind it, as a microphone does, until `until()`; 20 s at most."""
    begin = time.monotonic()
    sent_ms = 0
    silence = bytes(PIECE_MS * BYTES_PER_MS)
    while not until():
        require(sent_ms < 20_000, "nothing came of what was spoken within 20 s")
        start = sent_ms * BYTES_PER_MS
        piece = samples[start : start + len(silence)]
        await send(piece + silence[len(piece) :])
        sent_ms += PIECE_MS
        await asyncio.sleep(max(0.0, begin + sent_ms / 1_000 - time.monotonic()))


class Report:
    """What happened, for the test to judge; printed as one line of JSON."""

    def __init__(self):
        self.calls = []
        self.answers = {}
        self.facts = {}
        self.validated = {}

    def count(self, kind):
        self.validated[kind] = self.validated.get(kind, 0) + 1

    def call(self, turn, name, arguments):
        self.calls.append({"turn": turn, "name": name, "arguments": arguments})

    def show(self, failure=None):
        print(json.dumps({"calls": self.calls, "answers": self.answers, "facts": self.facts,
                          "validated": self.validated, "failure": failure}), flush=True)


def run(scenario, limit=240):
    """Runs the scenario; its report is printed whatever happens, and the exit code tells the rest."""
    report = Report()

    async def bounded():
        await asyncio.wait_for(scenario(load_plan(), report), limit)

    try:
        asyncio.run(bounded())
    except Failure as failure:
        report.show(str(failure))
        sys.exit(1)
    except asyncio.TimeoutError:
        report.show(f"the conversation was not over after {limit} s")
        sys.exit(1)
    except Exception as error:  # An exception of the client's own code is a finding too.
        report.show(f"{type(error).__name__}: {error}")
        raise
    report.show()
