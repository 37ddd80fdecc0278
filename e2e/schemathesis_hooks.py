"""For e2e/schemathesis: counts the answers, and makes some of the generated bodies fit the project under test.

Every answer that the tool gets is counted by operation and status; the counts are written to $VIB_COUNTS at the end.
Nothing that is generated at random is ever a patch that applies, so one body in two of a patch gets one, as does one
path in two of a fact. Which one is decided by the body itself: a body that failed fails again.
"""
import atexit
import collections
import hashlib
import json
import os

import schemathesis

COUNTS = collections.defaultdict(collections.Counter)


@schemathesis.hook
def after_call(context, case, response):
    # A wrong method is not the operation's matter: the tool tries those too.
    if case.method.upper() == case.operation.method.upper():
        COUNTS[case.operation.label][response.status_code] += 1


@schemathesis.hook
def map_body(context, body):
    if not isinstance(body, dict):
        return body
    mark = hashlib.sha256(json.dumps(body, sort_keys=True, default=str).encode()).hexdigest()[:12]
    if int(mark[0], 16) % 2:
        return body
    path = context.operation.path
    if path == "/api/patch/diff" and isinstance(body.get("diff"), str):
        # A new file, or a line after the first one of a file that always begins the same.
        new = f"--- /dev/null\n+++ b/notes/{mark}.txt\n@@ -0,0 +1,2 @@\n+{mark}\n+two\n"
        line = f"--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,2 @@\n one\n+{mark}\n"
        return {"diff": new if int(mark[1], 16) % 2 else line, "preview": int(mark[2], 16) % 4 == 0}
    if path == "/api/memory" and body.get("kind") == "relevant":
        return {**body, "path": "a.txt"}
    return body


@atexit.register
def write():
    with open(os.environ["VIB_COUNTS"], "w") as file:
        json.dump({label: dict(counts) for label, counts in COUNTS.items()}, file)
