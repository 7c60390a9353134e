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
# Wake-ups a second: of a process asleep, of which libdispatch makes one to look after its threads, and of a session awake in silence,
# whose microphone alone wakes it 50 times.
ASLEEP_LIMIT, AWAKE_LIMIT = 2, 60


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


def measured(what, program, sessions, seconds, limit):
    """A row for a program that is left alone for a while; its children, where plugins live, apart. More wake-ups than `limit` are an error."""
    members = program.family()
    before, start = program.sample(), {pid: switches(pid) for pid in members}
    time.sleep(seconds)
    after, end = program.sample(), {pid: switches(pid) for pid in members}
    length = (after.time_ns - before.time_ns) / 1e9
    rate = {pid: wakeups(start[pid], end[pid]) / length for pid in members}
    errors = [] if rate[members[0]] <= limit else [f"{rate[members[0]]:.1f} wake-ups a second are more than {limit}"]
    return {
        "what": what, "sessions": sessions, "wakeups": rate[members[0]], "limit": limit, "children_wakeups": sum(rate.values()) - rate[members[0]],
        "cpu_percent": (after.cpu_s - before.cpu_s) / length * 100, "resident_kb": after.resident_kb,
        "threads": after.threads, "errors": errors,
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
            rows = [measured("talk, awake", program, 1, bench.seconds, AWAKE_LIMIT)]
            program.process.stdin.write(b"go to sleep\n")
            program.process.stdin.flush()
            say("idle, one session asleep")
            time.sleep(SETTLE_S)
            return rows + [measured("talk, asleep", program, 1, bench.seconds, ASLEEP_LIMIT)]


def many(bench, say, state, limit):
    """Many sessions in one process, each with a simulated device in it, with a server that never says anything."""
    say(f"idle, {SESSIONS} sessions {state}")
    settling = SETTLE_S if state == "asleep" else 3
    with bench.server("--turns", 0) as server:
        arguments = [
            bench.glasses, "bench", "client", "--url", server.listening_url(), "--mic", bench.microphone, "--seconds",
            bench.seconds + settling + 5, "--report", bench.folder / "idle.json", "--sessions", SESSIONS,
        ]
        if state == "asleep":
            arguments.append("--asleep")
        with processes.Program(arguments, bench.measured_core, log=bench.log) as program:
            line = program.process.stdout.readline()
            if not line or json.loads(line)["event"] != state:
                raise processes.MeasurementError(f"{SESSIONS} sessions were not {state}; see {bench.log}")
            time.sleep(settling)
            return [measured(f"bench client, {state}", program, SESSIONS, bench.seconds, limit)]


def idle(bench, say):
    return (talking(bench, say) + many(bench, say, "awake", AWAKE_LIMIT * SESSIONS)
            # What a hundred sessions do by themselves, such as looking after a socket, is not once a second for each of them.
            + many(bench, say, "asleep", ASLEEP_LIMIT + SESSIONS // 10))
