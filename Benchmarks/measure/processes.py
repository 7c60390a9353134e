"""Processes of a measurement: started, pinned, sampled through /proc, and always ended."""

import json
import os
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

STARTUP_LIMIT_S = 15
EXIT_LIMIT_S = 10


class MeasurementError(Exception):
    """A measurement that cannot be made; the sentence says why."""


def cpu_of_threads(pid):
    """The CPU nanoseconds of each thread of a process so far. `/proc/PID/stat` counts in steps of 10 ms only."""
    threads = {}
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            threads[pid, task.name] = int((task / "schedstat").read_text().split()[0])
        except (FileNotFoundError, ProcessLookupError):
            continue  # It ended between two reads.
    return threads


def memory_kb(pid):
    """The most and the present resident memory of a process."""
    status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines() if ":" in line)
    return int(status["VmHWM"].split()[0]), int(status["VmRSS"].split()[0])


def thread_count(pid):
    return len(os.listdir(f"/proc/{pid}/task"))


@dataclass
class Sample:
    """What /proc said of a group of processes at a moment."""

    time_ns: int
    cpu_s: float
    peak_kb: int
    resident_kb: int
    threads: int


@dataclass(eq=False)
class Program:
    """A started program; `core` is the processor it may use, or None for all."""

    arguments: list
    core: int | None = None
    environment: dict = field(default_factory=dict)
    log: Path | None = None
    stdin: int = subprocess.DEVNULL

    def __enter__(self):
        prefix = [] if self.core is None else ["taskset", "-c", str(self.core)]
        errors = open(self.log, "ab") if self.log else subprocess.DEVNULL
        self.threads = {}
        self.started_ns = time.monotonic_ns()
        self.process = subprocess.Popen(
            prefix + [str(argument) for argument in self.arguments], stdin=self.stdin, stdout=subprocess.PIPE,
            stderr=errors, env=os.environ | self.environment)
        if self.log:
            errors.close()
        return self

    def __exit__(self, *_):
        self.end()

    @property
    def name(self):
        return Path(self.arguments[0]).name

    def listening_url(self):
        """The URL in the first line of output, which is a JSON object with the event `listening`."""
        line = self.process.stdout.readline()
        try:
            return json.loads(line)["url"]
        except (ValueError, KeyError) as error:
            raise MeasurementError(f"{self.name} did not say where it listens: {line!r}; see {self.log}") from error

    def end(self):
        """Asks the program to end, and kills it when it does not."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(EXIT_LIMIT_S)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process.stdout.close()
        if self.process.stdin:
            self.process.stdin.close()

    def family(self):
        """The ids of the process and of the children of all its threads."""
        members = [self.process.pid]
        for task in Path(f"/proc/{self.process.pid}/task").iterdir():
            try:
                members += [int(child) for child in (task / "children").read_text().split()]
            except (FileNotFoundError, ProcessLookupError):
                continue  # It ended between two reads.
        return members

    def sample(self):
        """What /proc says now of the process and its children together."""
        members = self.family()
        memory = [memory_kb(pid) for pid in members]
        # Threads that have ended keep the last time that was seen of them.
        for pid in members:
            self.threads |= cpu_of_threads(pid)
        return Sample(
            time.monotonic_ns(), sum(self.threads.values()) / 1e9, sum(peak for peak, _ in memory),
            sum(now for _, now in memory), sum(thread_count(pid) for pid in members))

    def samples_until_exit(self, others=(), interval_s=0.05, limit_s=600):
        """Samples of itself and of `others`, taken until it has ended; its exit code comes last."""
        taken = {program: [] for program in (self, *others)}
        deadline = time.monotonic() + limit_s
        while self.process.poll() is None:
            if time.monotonic() > deadline:
                raise MeasurementError(f"{self.name} did not end within {limit_s} s")
            for program, samples in taken.items():
                try:
                    samples.append(program.sample())
                except (OSError, KeyError, ValueError):
                    continue  # It ended between two reads.
            time.sleep(interval_s)
        return taken, self.process.returncode


def between(samples, start_ns, end_ns):
    """CPU seconds between two moments, interpolated, and the largest resident memory between them."""

    def cpu_at(moment):
        before = max((s for s in samples if s.time_ns <= moment), key=lambda s: s.time_ns, default=samples[0])
        after = min((s for s in samples if s.time_ns > moment), key=lambda s: s.time_ns, default=samples[-1])
        if after.time_ns == before.time_ns:
            return before.cpu_s
        return before.cpu_s + (after.cpu_s - before.cpu_s) * (moment - before.time_ns) / (after.time_ns - before.time_ns)

    inside = [s for s in samples if start_ns <= s.time_ns <= end_ns] or samples
    return cpu_at(end_ns) - cpu_at(start_ns), max(s.resident_kb for s in inside)
