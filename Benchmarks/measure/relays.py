"""The relays that are compared: nginx as a WebSocket proxy, and `glasses gateway` with an upstream."""

import contextlib
import json
import os
import shutil
import socket
import time
from dataclasses import dataclass

import conversations
import processes

NGINX_CONFIGURATION = """
worker_processes 1;
daemon off;
pid {folder}/nginx.pid;
error_log stderr warn;
events {{ worker_connections 4096; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://127.0.0.1:{upstream};
            proxy_http_version 1.1;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection upgrade;
            proxy_buffering off;
            proxy_read_timeout 1h;
            tcp_nodelay on;
        }}
    }}
}}
"""


@dataclass
class Running:
    url: str
    program: processes.Program


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_listening(port, name):
    deadline = time.monotonic() + processes.STARTUP_LIMIT_S
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError as error:
            if time.monotonic() > deadline:
                raise processes.MeasurementError(f"{name} does not listen on port {port}") from error
            time.sleep(0.02)


def nginx_path():
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")


def nginx(bench):
    """A relay through nginx, one worker."""

    @contextlib.contextmanager
    def relay(upstream):
        port = free_port()
        configuration = bench.folder / "nginx.conf"
        configuration.write_text(NGINX_CONFIGURATION.format(
            folder=bench.folder, port=port, upstream=conversations.port_of(upstream)))
        arguments = [nginx_path(), "-e", "stderr", "-p", bench.folder, "-c", configuration]
        with processes.Program(arguments, bench.measured_core, log=bench.log) as program:
            wait_until_listening(port, "nginx")
            yield Running(f"ws://127.0.0.1:{port}/v1/realtime", program)

    return relay


def gateway(bench):
    """A relay through `glasses gateway --upstream`."""

    @contextlib.contextmanager
    def relay(upstream):
        token = bench.folder / "token"
        models = bench.folder / "upstream.json"
        for path, text in ((token, "bench\n"), (models, json.dumps(upstream_file(upstream)))):
            with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
                file.write(text)
        arguments = [bench.glasses, "gateway", "--listen", "127.0.0.1:0", "--json", "--token-file", token, "--upstream", models,
                     "--max-sessions-per-token", 2000]
        program = processes.Program(
            arguments, bench.measured_core, environment={"BENCH_UPSTREAM_KEY": "upstream"}, log=bench.log)
        with program:
            base = program.listening_url()
            yield Running(f"{base}/realtime?model=bench", program)

    return relay


def upstream_file(url):
    """The gateway's list of upstreams, with the bench server as its one model."""
    return {"models": {"bench": {"url": url, "model": "bench", "key": {"env": "BENCH_UPSTREAM_KEY"}}}}


def has_gateway(bench):
    """Whether the program has a gateway that relays."""
    with processes.Program([bench.glasses, "gateway", "--help"], log=bench.log) as program:
        return b"--upstream" in program.process.stdout.read()
