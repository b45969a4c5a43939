#!/usr/bin/env python3
"""The application of docs/predict.md, for `elapid predict --validate`: session 0 deposits 100, the
others withdraw if there is enough."""
import json
import sys

WITHDRAWALS = {"1": 80, "2": 10}


def ask(**request):
    print(json.dumps(request), flush=True)
    return json.loads(sys.stdin.readline()).get("value")


for line in sys.stdin:
    begin = json.loads(line)
    if begin["session"] == "0":
        ask(do="put", key="balance", value=100)
    else:
        balance = ask(do="get", key="balance") or 0
        amount = WITHDRAWALS[begin["session"]]
        if balance >= amount:
            ask(do="put", key="balance", value=balance - amount)
    ask(do="commit")
