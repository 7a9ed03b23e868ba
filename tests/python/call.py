"""Calls functions that are given as source. One JSON request a line, one JSON answer a line.

Request: {"code": ..., "function": ..., "inputs": [[argument, ...], ...]}.
Answer: one value for each input; {"error": text} where the call failed.
"""

import json
import sys


def call(function, arguments):
    try:
        return json.loads(json.dumps(function(*arguments)))
    except Exception as error:
        return {"error": repr(error)}


for line in sys.stdin:
    request = json.loads(line)
    scope = {"__name__": "solution"}
    exec(request["code"], scope)
    function = scope[request["function"]]
    print(json.dumps([call(function, arguments) for arguments in request["inputs"]]))
