"""What an assistant costs that listens: `glasses talk` on the virtual device, in silence and while somebody speaks, by engine."""

import json
import threading
import time

import processes

# Said one after another for as long as it is measured; none is a command, so that recognition is most of the work.
SENTENCES = [
    "the weather in the mountains was better than anyone had hoped",
    "my sister told me that the train was late again this morning",
    "we walked along the river until the sun went down behind the hills",
]


def recognisers(glasses, log):
    """The ids of the installed recognisers."""
    with processes.Program([glasses, "plugins", "list", "--json"], log=log) as program:
        found = json.loads(program.process.stdout.read())
    return [plugin["id"] for plugin in found["found"] if "stt" in plugin["kinds"]]


class Ready(threading.Thread):
    """Reads the events of a `glasses talk --json`, so that its pipe never fills, and keeps when it was ready."""

    def __init__(self, program):
        super().__init__(daemon=True)
        self.program = program
        self.moment_ns = None
        self.heard = 0
        self.start()

    def run(self):
        for line in self.program.process.stdout:
            event = json.loads(line)["event"]
            if event == "ready":
                self.moment_ns = time.monotonic_ns()
            self.heard += event == "userSpoke"


def conversation(glasses, engine, speaks, seconds, log, core):
    """One conversation; its figures from `ready` on."""
    arguments = [glasses, "talk", "--device", "null", "--json", "--stt", engine]
    if speaks:
        # About four seconds each, and more than enough of them: the conversation is ended by this program.
        for turn in range(int(seconds)):
            arguments += ["--say", SENTENCES[turn % len(SENTENCES)]]
    with processes.Program(arguments, core, log=log) as program:
        ready = Ready(program)
        deadline = time.monotonic() + processes.STARTUP_LIMIT_S
        while ready.moment_ns is None:
            if time.monotonic() > deadline or program.process.poll() is not None:
                raise processes.MeasurementError(f"glasses talk with {engine} was not ready; see {log}")
            time.sleep(0.005)
        first = program.sample()
        time.sleep(seconds)
        last = program.sample()
        if speaks and ready.heard == 0:
            raise processes.MeasurementError(f"{engine} heard nothing; see {log}")
        return {
            "engine": engine, "speech": speaks, "ready_ms": (ready.moment_ns - program.started_ns) / 1e6,
            "cpu_s_per_minute": (last.cpu_s - first.cpu_s) / ((last.time_ns - first.time_ns) / 60e9),
            "resident_kb": last.resident_kb, "peak_kb": last.peak_kb, "threads": last.threads,
            "processes": len(program.family()), "turns": ready.heard, "errors": [],
        }


def listening(bench, say):
    """A row for each recogniser, in silence and in speech."""
    rows = []
    for engine in recognisers(bench.glasses, bench.log):
        for speaks in (False, True):
            say(f"listening {engine}, {'speech' if speaks else 'silence'}")
            rows.append(conversation(bench.glasses, engine, speaks, bench.seconds, bench.log, bench.measured_core))
    return rows
