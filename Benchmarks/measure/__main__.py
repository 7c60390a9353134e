"""Measures `glasses bench client` against a bare client, and `glasses gateway` against nginx. Started by Scripts/bench."""

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

import comparison
import conversations
import idle
import listening
import processes
import tables


KINDS = ["client", "relay", "listening", "idle"]


def arguments():
    parser = argparse.ArgumentParser(prog="Scripts/bench", description=__doc__)
    parser.add_argument("what", nargs="*", metavar="client|relay|listening|idle", help="what to measure; all without it")
    parser.add_argument("--glasses", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--tools", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--seconds", type=float, default=30, help="length of each conversation")
    parser.add_argument("--rounds", type=int, default=3, help="conversations of each kind; the medians are printed")
    parser.add_argument("--quick", action="store_true", help="one round of 5 s with fewer sessions: a check, no measurement")
    parser.add_argument("--no-pin", action="store_true", help="let the scheduler place the programs; else what is measured has a core")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    options = parser.parse_args()
    for name in options.what:
        if name not in KINDS:
            parser.error(f"'{name}' is none of {', '.join(KINDS)}")
    options.what = options.what or KINDS
    return options


def main():
    options = arguments()
    if options.quick:
        options.seconds, options.rounds = 5, 1
    cores = sorted(os.sched_getaffinity(0))
    measured, other = (None, None) if options.no_pin or len(cores) < 2 else (cores[-1], cores[0])
    failed = False
    with tempfile.TemporaryDirectory(prefix="glasses-bench-") as folder:
        bench = conversations.Bench(
            options.glasses.resolve(), options.tools.resolve(), Path(folder), options.seconds, measured, other)
        results = {}
        say = lambda line: print(f"bench: {line}", file=sys.stderr, flush=True)
        try:
            if "client" in options.what:
                results["clients"] = comparison.clients(bench, [1] if options.quick else [1, 20], options.rounds, say)
            if "relay" in options.what:
                talking, waiting = ([1, 5], 5) if options.quick else ([1, 20, 50, 100], 200)
                results["relays"] = comparison.relayed(bench, talking, waiting, options.rounds, say)
            if "listening" in options.what:
                results["listening"] = listening.listening(bench, say)
            if "idle" in options.what:
                results["idle"] = idle.idle(bench, say)
        except processes.MeasurementError as error:
            print(f"bench: {error}", file=sys.stderr)
            if bench.log.exists():
                print(bench.log.read_text()[-2000:], file=sys.stderr)
            failed = True
    tables.print_clients(results.get("clients", [])) if "clients" in results else None
    tables.print_relays(results.get("relays", [])) if "relays" in results else None
    tables.print_listening(results.get("listening", [])) if "listening" in results else None
    tables.print_idle(results.get("idle", [])) if "idle" in results else None
    rows = [row for group in results.values() for row in group]
    tables.print_errors(rows)
    load = os.getloadavg()[0]
    print(f"\n{options.rounds} round(s) of {options.seconds:g} s; {len(cores)} cores; load average at the end {load:.1f}")
    if options.json:
        options.json.write_text(json.dumps(results, indent=1))
    return 1 if failed or any(row["errors"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
