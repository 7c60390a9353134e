"""Our client against the bare one, and relays against nginx."""

import statistics

import relays


def median(rows, name):
    values = [row[name] for row in rows if row.get(name) is not None]
    return statistics.median(values) if values else None


def medians(rows):
    result = {name: median(rows, name) for name, value in rows[0].items() if not isinstance(value, list)}
    result["errors"] = [error for row in rows for error in row["errors"]]
    return result


def client_row(bench, make_client):
    figures, measured = bench.converse(make_client)
    samples, (cpu, resident) = measured["client"]
    return figures.summary() | {
        "peak_kb": samples[-1].peak_kb, "resident_kb": resident, "threads": max(sample.threads for sample in samples),
    }


def clients(bench, session_counts, rounds, say):
    """Both clients in turns; one row of medians for each client and number of sessions."""
    results = []
    for sessions in session_counts:
        makers = {
            "bare": lambda url: bench.bare(url, sessions, core=bench.measured_core),
            "glasses": lambda url: bench.ours(url, sessions, core=bench.measured_core),
        }
        rows = {name: [] for name in makers}
        for turn in range(rounds):
            for name, maker in makers.items():
                say(f"client {name}, {sessions} session(s), round {turn + 1} of {rounds}")
                rows[name].append(client_row(bench, maker))
        results += [{"client": name, "sessions": sessions} | medians(rows[name]) for name in makers]
    return results


def relay_row(bench, relay, sessions, isIdle=False):
    server_options = ("--turns", 0) if isIdle else ()
    client_options = ("--idle",) if isIdle else ()
    figures, measured = bench.converse(
        lambda url: bench.bare(url, sessions, *client_options, core=bench.other_core), relay, server_options)
    row = figures.summary()
    if relay:
        samples, (cpu, resident) = measured["relay"]
        minutes = bench.seconds / 60
        row |= {
            "relay_cpu_s_per_minute": cpu / minutes / sessions, "relay_resident_kb": resident,
            "relay_start_kb": measured["relay_start"].resident_kb, "relay_threads": max(sample.threads for sample in samples),
        }
    return row


def relay_kinds(bench, say):
    """The relays that this machine has, by name."""
    kinds = {"none": None}
    if relays.nginx_path():
        kinds["nginx"] = relays.nginx(bench)
    else:
        say("nginx is not installed (apt-get install nginx-light), so the relay is measured without it")
    if relays.has_gateway(bench):
        kinds["gateway"] = relays.gateway(bench)
    else:
        say("this build has no gateway that relays, so it is not measured")
    return kinds


def relayed(bench, session_counts, idle_sessions, rounds, say):
    """Every relay in turns; one row of medians for each relay and number of sessions, and one of idle sessions."""
    results = []
    kinds = relay_kinds(bench, say)
    for sessions in session_counts:
        rows = {name: [] for name in kinds}
        for turn in range(rounds):
            for name, relay in kinds.items():
                say(f"relay {name}, {sessions} talking session(s), round {turn + 1} of {rounds}")
                rows[name].append(relay_row(bench, relay, sessions))
        results += [{"relay": name, "sessions": sessions, "talking": True} | medians(rows[name]) for name in kinds]
    for name, relay in kinds.items():
        if relay:
            say(f"relay {name}, {idle_sessions} idle session(s)")
            row = relay_row(bench, relay, idle_sessions, isIdle=True)
            results.append({"relay": name, "sessions": idle_sessions, "talking": False} | medians([row]))
    return results
