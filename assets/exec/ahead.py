# An observer: the flight goes on straight as far as it would in what is left of its time. Run it with
# --observer "exec:python3 ahead.py".
import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        answer = {"hello": {"protocol": 1, "name": "ahead", "version": "1", "answers": "points",
                            "meaning": "knows the final time and expects the flight to go straight on until then"}}
    elif "mission" in message:
        continue  # it has no answer, and this observer needs nothing of it
    else:
        points = []
        for i in message["ask"]:
            x, y, z, vx, vy, vz, ax, ay, az = message["track"][i]
            left = message["end_s"] - i * message["step_s"]
            points.append([x + left * vx, y + left * vy, z + left * vz])
        answer = {"points": points}
    print(json.dumps(answer), flush=True)
