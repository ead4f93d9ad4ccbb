# A mechanism: Laplace noise on every reward. Run it with --mechanism "exec:python3 laplace.py".
import json
import math
import random
import sys


def laplace(scale, draw):
    u = draw.random() - 0.5
    return -scale * math.copysign(math.log(1 - 2 * abs(u)), u)


for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        answer = {"hello": {"protocol": 1, "name": "my laplace", "version": "1",
                            "meaning": "adds Laplace noise to every reward",
                            "guarantee": "epsilon for one entry of the reward, by at most the adjacency"}}
    elif "mission" in message:
        mission = message["mission"]
        continue  # a mission has no answer
    else:
        draw = random.Random(int(message["seed"]))  # all that is random follows from the seed
        scale = mission["adjacency"] / message["epsilon"]
        answer = {"rewards": [[r + laplace(scale, draw) for r in row] for row in mission["rewards"]]}
    print(json.dumps(answer), flush=True)
