"""What an assistant costs that does nothing: wake-ups, processor and memory, awake in silence and asleep."""

import json
import subprocess
import time
from pathlib import Path

import listening
import processes

# By then whatever was begun has ended, and a loudspeaker that rests is closed.
SETTLE_S = 13
SESSIONS = 100


def switches(pid):
    """How often each thread of a process gave the processor up by itself: each time something had to wake it again."""
    threads = {}
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            status = (task / "status").read_text()
        except (FileNotFoundError, ProcessLookupError):
            continue  # It ended between two reads.
        line = next(line for line in status.splitlines() if line.startswith("voluntary_ctxt_switches"))
        threads[task.name] = int(line.split()[1])
    return threads


def wakeups(before, after):
    """Of threads that lived at the end; what a thread did that ended meanwhile is unknown."""
    return sum(count - before.get(thread, 0) for thread, count in after.items())


def measured(what, program, sessions, seconds):
    """A row for a program that is left alone for a while; its children, where plugins live, apart."""
    members = program.family()
    before, start = program.sample(), {pid: switches(pid) for pid in members}
    time.sleep(seconds)
    after, end = program.sample(), {pid: switches(pid) for pid in members}
    length = (after.time_ns - before.time_ns) / 1e9
    rate = {pid: wakeups(start[pid], end[pid]) / length for pid in members}
    return {
        "what": what, "sessions": sessions, "wakeups": rate[members[0]], "children_wakeups": sum(rate.values()) - rate[members[0]],
        "cpu_percent": (after.cpu_s - before.cpu_s) / length * 100, "resident_kb": after.resident_kb,
        "threads": after.threads, "errors": [],
    }


def talking(bench, say):
    """`glasses talk` over a gateway of its own: a real connection, the virtual device in a process of its own."""
    with processes.Program([bench.glasses, "gateway", "--listen", "127.0.0.1:0", "--json"], bench.other_core, log=bench.log) as gateway:
        url = gateway.listening_url()
        while json.loads(gateway.process.stdout.readline())["event"] != "ready":
            pass
        arguments = [bench.glasses, "talk", "--device", "null", "--json", "--gateway", url]
        with processes.Program(arguments, bench.measured_core, log=bench.log, stdin=subprocess.PIPE) as program:
            ready = listening.Ready(program)
            deadline = time.monotonic() + processes.STARTUP_LIMIT_S
            while ready.moment_ns is None:
                if time.monotonic() > deadline or program.process.poll() is not None:
                    raise processes.MeasurementError(f"glasses talk was not ready; see {bench.log}")
                time.sleep(0.005)
            say("idle, one session awake in silence")
            time.sleep(3)
            rows = [measured("talk, awake", program, 1, bench.seconds)]
            program.process.stdin.write(b"go to sleep\n")
            program.process.stdin.flush()
            say("idle, one session asleep")
            time.sleep(SETTLE_S)
            return rows + [measured("talk, asleep", program, 1, bench.seconds)]


def many(bench, say):
    """Many sessions in one process, each with a simulated device in it."""
    say(f"idle, {SESSIONS} sessions asleep")
    with bench.server() as server:
        arguments = [
            bench.glasses, "bench", "client", "--url", server.listening_url(), "--mic", bench.microphone, "--seconds",
            bench.seconds + SETTLE_S + 5, "--report", bench.folder / "idle.json", "--sessions", SESSIONS, "--asleep",
        ]
        with processes.Program(arguments, bench.measured_core, log=bench.log) as program:
            line = program.process.stdout.readline()
            if not line or json.loads(line)["event"] != "asleep":
                raise processes.MeasurementError(f"{SESSIONS} sessions did not fall asleep; see {bench.log}")
            time.sleep(SETTLE_S)
            return [measured("bench client, asleep", program, SESSIONS, bench.seconds)]


def idle(bench, say):
    return talking(bench, say) + many(bench, say)
