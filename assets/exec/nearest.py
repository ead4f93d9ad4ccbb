# An observer of the goal: the nearer a goal is to the straight line ahead, the likelier. Run it with
# veilpath leak --observers "moves,exec:python3 nearest.py".
import json
import math
import sys


def weight(goal, row):
    x, y, _, vx, vy = row[:5]
    dx, dy = goal["at_km"][0] - x, goal["at_km"][1] - y
    off = math.atan2(vx * dy - vy * dx, vx * dx + vy * dy)
    return goal["prior"] * math.exp(-(off / 0.3) ** 2) + 1e-12


for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        answer = {"hello": {"protocol": 1, "name": "nearest", "version": "1", "answers": "posterior", "every": 10,
                            "meaning": "believes in goals that lie ahead"}}
    elif "mission" in message:
        goals = message["mission"]["goals"]
        continue
    else:
        posterior = []
        for i in message["ask"]:
            weights = [weight(g, message["track"][i]) for g in goals]
            total = sum(weights)
            posterior.append([w / total for w in weights])
        answer = {"posterior": posterior}
    print(json.dumps(answer), flush=True)
