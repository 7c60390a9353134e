"""The two reports of a run, the client's and the server's, as figures."""

from collections import defaultdict
from dataclasses import dataclass

MARKER_CONNECTION_SHIFT = 20
MICROSECOND = 1_000


def percentile(values, share):
    """The value below which `share` of the values lie; None without values."""
    if not values:
        return None
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


@dataclass
class Conversation:
    """What one run of a client against the server showed."""

    ready_ms: float
    cpu_s_per_minute: float
    mic_us: list
    delivered_us: list
    flush_us: list
    tool_us: list
    underruns: int
    errors: list

    def summary(self):
        return {
            "ready_ms": self.ready_ms, "cpu_s_per_minute": self.cpu_s_per_minute,
            "mic_p50_us": percentile(self.mic_us, 0.5), "mic_p99_us": percentile(self.mic_us, 0.99),
            "delivered_p50_us": percentile(self.delivered_us, 0.5), "delivered_p99_us": percentile(self.delivered_us, 0.99),
            "flush_p50_us": percentile(self.flush_us, 0.5), "tool_p50_us": percentile(self.tool_us, 0.5),
            "underruns": self.underruns, "errors": self.errors,
        }


def occurrences(pairs):
    """Times by (number, how often the number came before)."""
    seen, times = defaultdict(int), {}
    for time_ns, number in pairs:
        times[number, seen[number]] = time_ns
        seen[number] += 1
    return times


def connection_of(session, index, connections):
    """The server's record of a session: by the number in the markers that it got, else by its place."""
    marked = [marker for _, marker in session["delivered"]]
    return connections[marked[0] >> MARKER_CONNECTION_SHIFT if marked else index]


def delays_us(from_pairs, to_pairs):
    earlier = occurrences(from_pairs)
    return [
        (time_ns - earlier[key]) / MICROSECOND for key, time_ns in occurrences(to_pairs).items() if key in earlier
    ]


def flush_delays_us(session, connection):
    """From each speech_started that was sent to the flush that it caused, if it caused one within a second."""
    delays = []
    for flush in session["flush"]:
        before = [start for start in connection["speech_started"] if 0 <= flush - start < 1e9]
        if before:
            delays.append((flush - before[-1]) / MICROSECOND)
    return delays


def underruns(session):
    """Silent ticks between two marked ones that follow each other in one answer."""
    count, silent, last = 0, 0, None
    for _, marker in session["played"]:
        if marker == -1:
            silent += 1
        elif marker >= 0:
            if last is not None and marker == last + 1 and 0 < silent < 10:
                count += silent
            last, silent = marker, 0
    return count


def problems(session, connection):
    """What was wrong with a session, as sentences."""
    found = session["errors"] if isinstance(session["errors"], list) else ["errors"] * session["errors"]
    for name in ("odd_appends", "gaps", "malformed"):
        if connection[name]:
            found.append(f"the server counted {connection[name]} {name}")
    return found


def read(client, server, started_ns):
    """The figures of a run that was started at `started_ns`."""
    sessions, connections = client["sessions"], server["connections"]
    minutes = (client["t_end_ns"] - client["t_ready_ns"]) / 60e9
    result = Conversation(
        (client["t_ready_ns"] - started_ns) / 1e6,
        (client["cpu_end_s"] - client["cpu_ready_s"]) / minutes / len(sessions), [], [], [], [], 0, [])
    for index, session in enumerate(sessions):
        connection = connection_of(session, index, connections)
        result.mic_us += delays_us(session["mic"], connection["mic"])
        result.delivered_us += delays_us(connection["sent"], session["delivered"])
        result.flush_us += flush_delays_us(session, connection)
        result.tool_us += [(output - called) / MICROSECOND for called, output in connection["tool"]]
        result.underruns += underruns(session)
        result.errors += problems(session, connection)
    return result
