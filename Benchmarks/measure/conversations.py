"""Runs of a bench client against the bench server, directly or through a relay."""

import json
import random
import struct
import urllib.parse
from dataclasses import dataclass
from pathlib import Path

import processes
import reports

MAGIC = bytes.fromhex("13579B2F2468AC1E")
SAMPLES_AFTER_MARKER = 474


def write_microphone(path, frames=1000, seed=1):
    """A WAV file of marked frames of quiet noise."""
    noise = random.Random(seed)
    data = b"".join(
        MAGIC + struct.pack("<I", number)
        + struct.pack(f"<{SAMPLES_AFTER_MARKER}h", *(noise.randint(-3000, 3000) for _ in range(SAMPLES_AFTER_MARKER)))
        for number in range(frames))
    header = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + len(data), b"WAVE", b"fmt ", 16, 1, 1, 24000, 48000, 2, 16,
                         b"data", len(data))
    path.write_bytes(header + data)


@dataclass
class Bench:
    """Where the programs are and how they are run."""

    glasses: Path
    tools: Path
    folder: Path
    seconds: float
    measured_core: int | None
    other_core: int | None

    def __post_init__(self):
        self.microphone = self.folder / "mic.wav"
        write_microphone(self.microphone)

    @property
    def log(self):
        return self.folder / "programs.log"

    def server(self, *options):
        report = self.folder / "server.json"
        return processes.Program([self.tools / "bench_server", "--report", report, *options], self.other_core, log=self.log)

    def bare(self, url, sessions, *options, core=None):
        report = self.folder / "client.json"
        return processes.Program(
            [self.tools / "bare_client", "--url", url, "--mic", self.microphone, "--seconds", self.seconds, "--report", report,
             "--sessions", sessions, *options], core, log=self.log)

    def ours(self, url, sessions, core=None):
        report = self.folder / "client.json"
        return processes.Program(
            [self.glasses, "bench", "client", "--url", url, "--mic", self.microphone, "--seconds", self.seconds, "--report",
             report, "--sessions", sessions], core, log=self.log)

    def converse(self, make_client, relay=None, server_options=()):
        """One run; its figures, and the samples of the client and of the relay between ready and end."""
        for name in ("client.json", "server.json"):
            (self.folder / name).unlink(missing_ok=True)
        with self.server(*server_options) as server:
            url = server.listening_url()
            if relay is None:
                return self._run(make_client(url), server)
            with relay(url) as running:
                return self._run(make_client(running.url), server, running.program)

    def _run(self, client, server, relay=None):
        start = relay.sample() if relay else None
        limit = self.seconds + processes.STARTUP_LIMIT_S + processes.EXIT_LIMIT_S
        with client:
            taken, code = client.samples_until_exit([relay] if relay else [], limit_s=limit)
        if code != 0:
            raise processes.MeasurementError(f"{client.name} ended with {code}; see {self.log}")
        server.end()
        report = json.loads((self.folder / "client.json").read_text())
        figures = reports.read(report, json.loads((self.folder / "server.json").read_text()), client.started_ns)
        measured = {"relay_start": start}
        for name, program in (("client", client), ("relay", relay)):
            if program is not None:
                measured[name] = taken[program], processes.between(taken[program], report["t_ready_ns"], report["t_end_ns"])
        return figures, measured


def port_of(url):
    return urllib.parse.urlsplit(url).port
