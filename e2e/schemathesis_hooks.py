"""For e2e/schemathesis: counts the answers, and makes some of the generated bodies fit the project under test.

Every answer that the tool gets is counted by operation, status and reason; the counts are written to $VIB_COUNTS at the end.
Nothing that is generated at random is ever a patch that applies, so one body in two of a patch gets one, as does one
path in two of a fact; one step, request and undo in two is one that there is. Which one is decided by the body itself: a body that failed fails again. And somebody works in the
project ($VIB_PROJECT) meanwhile: before each preview of going back a file changes, so that there is something to bring back.
"""
import atexit
import collections
import hashlib
import itertools
import json
import os
import pathlib

import schemathesis

PROJECT = pathlib.Path(os.environ["VIB_PROJECT"])
STEPS = itertools.count()
# One undo that stays the same whatever else happens, and what its last preview showed: a yes is a yes to that.
UNDO = {"what": os.environ["VIB_STEP"]}
SHOWN = {"digest": "0" * 64}
COUNTS = collections.defaultdict(collections.Counter)


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.operation.path in ("/api/recovery/preview", "/api/undo/preview"):
        (PROJECT / "c.txt").write_text(f"at work: {next(STEPS)}\n")


@schemathesis.hook
def after_call(context, case, response):
    if case.operation.path == "/api/undo/preview" and response.status_code == 200 and case.body == UNDO:
        SHOWN["digest"] = json.loads(response.content)["data"]["digest"]
    # A wrong method is not the operation's matter: the tool tries those too.
    if case.method.upper() == case.operation.method.upper():
        COUNTS[case.operation.label][f"{response.status_code}{code_of(response)}"] += 1


def code_of(response):
    """The reason that an answer gives, where it gives one."""
    if response.status_code < 400:
        return ""
    try:
        return " " + json.loads(response.content)["error"]["code"]
    except (ValueError, KeyError, TypeError):
        return ""


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
    if path == "/api/undo/preview":
        return UNDO
    if path == "/api/undo/apply":
        return {**UNDO, **SHOWN}
    if path == "/api/memory" and body.get("kind") == "relevant":
        return {**body, "path": "a.txt"}
    return body


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    path, given = context.operation.path, (path_parameters or {}).get("id")
    if isinstance(given, str) and len(given) % 2:
        if path.startswith("/api/steps/"):
            return {**path_parameters, "id": os.environ["VIB_STEP"]}
        if path.startswith("/api/requests/"):
            return {**path_parameters, "id": os.environ["VIB_REQUEST"]}
    return path_parameters


@atexit.register
def write():
    with open(os.environ["VIB_COUNTS"], "w") as file:
        json.dump({label: dict(counts) for label, counts in COUNTS.items()}, file)
