"""Results as tables for a terminal."""


def text(value, digits=2):
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.{digits}f}"
    return str(value)


def table(title, heads, rows):
    lines = [[text(cell) for cell in row] for row in rows]
    widths = [max(len(line[column]) for line in [heads, *lines]) for column in range(len(heads))]
    print(f"\n{title}")
    for line in [heads, *lines]:
        print("  " + "  ".join(cell.rjust(width) for cell, width in zip(line, widths)))


def ratio(value, base):
    return value / base if value is not None and base else None


def print_clients(rows):
    heads = ["client", "sessions", "CPU s/min", "x bare", "RSS MB", "threads", "ready ms", "mic p50 us", "p99",
             "out p50 us", "p99", "flush us", "underruns", "errors"]
    base = {row["sessions"]: row["cpu_s_per_minute"] for row in rows if row["client"] == "bare"}
    table("Client: CPU seconds per session-minute; microphone to wire; wire to application", heads, [
        [row["client"], row["sessions"], row["cpu_s_per_minute"], ratio(row["cpu_s_per_minute"], base.get(row["sessions"])),
         row["resident_kb"] / 1024, row["threads"], row["ready_ms"], row["mic_p50_us"], row["mic_p99_us"],
         row["delivered_p50_us"], row["delivered_p99_us"], row["flush_p50_us"], row["underruns"], len(row["errors"])]
        for row in rows])
    for name in ("bare", "glasses"):
        sizes = sorted((row["sessions"], row["resident_kb"]) for row in rows if row["client"] == name)
        if len(sizes) > 1:
            (few, small), (many, large) = sizes[0], sizes[-1]
            print(f"  {name}: {(large - small) / (many - few):.0f} KB of RSS for each further session")


def print_listening(rows):
    heads = ["recogniser", "hears", "CPU s/min", "RSS MB", "peak MB", "threads", "processes", "ready ms", "turns"]
    table("Listening: CPU seconds a minute and memory of glasses talk with its children", heads, [
        [row["engine"], "speech" if row["speech"] else "silence", row["cpu_s_per_minute"], row["resident_kb"] / 1024,
         row["peak_kb"] / 1024, row["threads"], row["processes"], row["ready_ms"], row["turns"]] for row in rows])


def print_idle(rows):
    heads = ["what", "sessions", "wake-ups/s", "at most", "children's", "CPU %", "RSS MB", "threads"]
    table("Idle: a second of doing nothing", heads, [
        [row["what"], row["sessions"], row["wakeups"], row["limit"], row["children_wakeups"], row["cpu_percent"], row["resident_kb"] / 1024,
         row["threads"]] for row in rows])


def added(row, direct, name):
    base = direct.get(row["sessions"], {}).get(name)
    return row[name] - base if row[name] is not None and base is not None else None


def print_relays(rows):
    direct = {row["sessions"]: row for row in rows if row["relay"] == "none"}
    nginx = {row["sessions"]: row["relay_cpu_s_per_minute"] for row in rows if row["relay"] == "nginx" and row["talking"]}
    heads = ["relay", "sessions", "", "CPU s/min", "x nginx", "RSS MB", "KB/session", "threads", "added up p50 us", "p99",
             "added down p50 us", "p99", "errors"]
    table("Relay: CPU seconds per session-minute; latency beyond that of a direct connection", heads, [
        [row["relay"], row["sessions"], "talking" if row["talking"] else "idle", row["relay_cpu_s_per_minute"],
         ratio(row["relay_cpu_s_per_minute"], nginx.get(row["sessions"])) if row["talking"] else None,
         row["relay_resident_kb"] / 1024, (row["relay_resident_kb"] - row["relay_start_kb"]) / row["sessions"],
         row["relay_threads"]]
        + [added(row, direct, name) if row["talking"] else None
           for name in ("mic_p50_us", "mic_p99_us", "delivered_p50_us", "delivered_p99_us")]
        + [len(row["errors"])]
        for row in rows if row["relay"] != "none"])


def print_errors(rows):
    for row in rows:
        name = row.get("client") or row.get("relay") or row.get("what")
        for error in sorted(set(row["errors"])):
            print(f"  {name}, {row['sessions']} session(s): {error} ({row['errors'].count(error)} times)")
