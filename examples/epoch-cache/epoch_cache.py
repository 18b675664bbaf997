"""An epoch cache in Python, as a process that leader-epoch can hold against its specification (docs/process-protocol.md)."""
import json
import sys

UNDEFINED = -1
cache, leo, answer, bounds = [], 0, {}, {}


def latest():
    return cache[-1]["epoch"] if cache else UNDEFINED


def end_offset_for(epoch):
    if epoch == UNDEFINED:
        return {"epoch": UNDEFINED, "endOffset": UNDEFINED}
    if epoch == latest():
        return {"epoch": epoch, "endOffset": leo}
    higher = [entry for entry in cache if entry["epoch"] > epoch]
    if not higher:
        return {"epoch": UNDEFINED, "endOffset": UNDEFINED}
    floor = [entry["epoch"] for entry in cache if entry["epoch"] <= epoch]
    return {"epoch": floor[-1] if floor else epoch, "endOffset": higher[0]["start"]}


def step(action, arg):
    global cache, leo, answer
    if action == "Write":
        if arg != latest():
            cache = cache + [{"epoch": arg, "start": leo}]
        leo += 1
    elif action == "Truncate":
        cache = [entry for entry in cache if entry["start"] < arg]
        leo = arg
    else:
        answer = end_offset_for(arg)


def enabled():
    epochs = range(1, bounds["MaxEpoch"] + 1)
    writes = [["Write", e] for e in epochs if leo < bounds["MaxOffset"] and e >= latest()]
    truncates = [["Truncate", offset] for offset in range(leo)]
    return writes + truncates + [["Ask", e] for e in [UNDEFINED, *epochs]]


for line in sys.stdin:
    request = json.loads(line)
    kind, reply = request["request"], {"ok": True}
    if kind == "hello":
        shown = ["cache", "leo", "answer"]
        reply = {"protocol": 1, "name": "an epoch cache", "observable": shown, "can": ["restore", "enabled"]}
    elif kind == "reset":
        bounds, cache, leo, answer = request["config"], [], 0, end_offset_for(UNDEFINED)
    elif kind == "restore":
        cache, leo, answer = (request["state"][name] for name in ("cache", "leo", "answer"))
    elif kind == "enabled":
        reply = {"steps": [{"action": action, "args": [arg]} for action, arg in enabled()]}
    elif kind == "step":
        if [request["action"], *request["args"]] in enabled():
            step(request["action"], request["args"][0])
            reply = {"kind": "taken"}
        else:
            reply = {"kind": "refused", "reason": "it is not possible now"}
    elif kind == "observe":
        reply = {"observation": {"cache": cache, "leo": leo, "answer": answer}}
    print(json.dumps(reply), flush=True)
    if kind == "close":
        break
