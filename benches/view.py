#!/usr/bin/env python3
"""What the live view costs a race: the same race of a loopback server with --plain, with the view in a terminal that reads,
and with the view in a terminal that reads nothing. CPU time of the whole program, and how late deltas are stamped.

    benches/view.py GAUNTLET_BINARY [DELTAS_A_SECOND] [SECONDS]

Standard library alone; Linux. The server writes the wall clock into each delta; io.jsonl has the stamp of its arrival.
"""

import datetime
import fcntl
import http.server
import json
import os
import pty
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

BINARY = os.path.realpath(sys.argv[1])
RATE = int(sys.argv[2]) if len(sys.argv) > 2 else 500
SECONDS = int(sys.argv[3]) if len(sys.argv) > 3 else 5
ROUNDS = 3


class Server(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        long = "TARGET" in json.dumps(body["messages"])
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        began = time.monotonic()
        for number in range(RATE * SECONDS if long else 20):
            wait = began + (number + 1) / RATE - time.monotonic()
            if wait > 0:
                time.sleep(wait)
            self.say({"delta": {"content": f"{time.time_ns() // 1_000_000} "}})
        self.say({"delta": {}, "finish_reason": "stop"})
        self.wfile.write(b"data: [DONE]\n\n")
        self.close_connection = True

    def say(self, choice):
        choice["index"] = 0
        self.wfile.write(b"data: " + json.dumps({"choices": [choice]}).encode() + b"\n\n")


def race(work, lane, mode):
    """CPU seconds of a race and the lateness of its deltas in milliseconds."""
    out = os.path.join(work, mode)
    command = [BINARY, "race", "--lane", lane, "--out", out]
    environment = dict(os.environ, TERM="xterm-256color", LANG="C.UTF-8")
    if mode == "plain":
        with open(os.path.join(work, "plain.txt"), "w") as words:
            child = subprocess.Popen(command + ["--plain"], stdout=words, stderr=words)
        ends = None
    else:
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        with open(os.path.join(work, "card.txt"), "w") as words:
            child = subprocess.Popen(command, stdout=words, stderr=slave, env=environment)
        os.close(slave)
        ends = master
        if mode == "live":
            threading.Thread(target=drain, args=(master,), daemon=True).start()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = status
    if ends is not None and mode != "live":
        os.close(ends)
    late = []
    folder = os.path.join(out, os.listdir(out)[0])
    with open(os.path.join(folder, "io.jsonl")) as lines:
        for line in lines:
            line = json.loads(line)
            chunk = line["input"].get("chunk", {})
            if chunk.get("type") == "delta":
                arrived = datetime.datetime.fromisoformat(line["wall"].replace("Z", "+00:00"))
                # Deltas that came in one read are one piece: its first one is the oldest.
                late.append(arrived.timestamp() * 1000 - int(chunk["text"].split()[0]))
    shutil.rmtree(out)
    return usage.ru_utime + usage.ru_stime, late


def drain(master):
    try:
        while os.read(master, 65536):
            pass
    except OSError:
        pass


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as work:
        lane = os.path.join(work, "lane.toml")
        with open(lane, "w") as file:
            file.write(
                f'name = "bench"\nkind = "http"\nmemory_gb = 8\nmodel = "m"\nload_guard = false\n'
                f'base_url = "http://127.0.0.1:{server.server_port}/v1"\n'
            )
        print(f"{RATE} deltas a second, {SECONDS} s a range; load {os.getloadavg()[0]:.1f}")
        print("mode     CPU s   late ms: median    p99    max   deltas")
        for _ in range(ROUNDS):
            for mode in ["plain", "live", "stalled"]:
                cpu, late = race(work, lane, mode)
                late.sort()
                middle, most = late[len(late) // 2], late[len(late) * 99 // 100]
                print(f"{mode:<8} {cpu:5.2f}   {middle:15.0f} {most:6.0f} {late[-1]:6.0f} {len(late):8}")


main()
