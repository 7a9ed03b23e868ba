"""The Python openai client on the server of benches/lane.rs: CPU time of the whole stream, and how far its times are off."""

import json
import sys
import time

from openai import OpenAI

base_url, rate, deltas = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
client = OpenAI(base_url=base_url, api_key="none", max_retries=0)
began = time.process_time_ns()
first = last = None
most = 0
for chunk in client.chat.completions.create(
    model="m",
    messages=[{"role": "user", "content": "go"}],
    stream=True,
    extra_body={"rate": rate, "deltas": deltas},
):
    now = time.time_ns()
    text = chunk.choices[0].delta.content
    if text:
        off = now // 1_000_000 - int(text) // 1_000
        first = off if first is None else first
        last = off
        most = max(most, abs(off))
cpu_ns = time.process_time_ns() - began
print(json.dumps({"cpu_ns": cpu_ns, "first_ms": first, "end_ms": last, "most_ms": most}))
