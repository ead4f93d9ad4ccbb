"""Runs the README's Python and compares what pandas, Arrow and DuckDB read with what veilpath printed."""
import json
import subprocess

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

print("pandas", pd.__version__, "Arrow", pa.__version__)
exec(compile(open("readme.py").read(), "README.md", "exec"))

tables = ["study-001/runs", "study-002/runs", "tune-001/surface", "run-001/trajectory", "study-003/trajectories"]
for table in tables:
    path = f"out/{table}.parquet"
    schema = pq.read_schema(path)
    units = json.loads(schema.metadata[b"veilpath:units"])
    for field in schema:
        assert field.name.endswith("_km") == (units.get(field.name) == "km"), (table, field.name)
        assert not field.nullable or table in ("tune-001/surface", "study-003/trajectories"), (table, field.name)
    rows = len(pd.read_parquet(path))
    counted = subprocess.check_output(["duckdb", "-noheader", "-list", "-c", f"SELECT count(*) FROM '{path}'"], text=True)
    assert rows == int(counted) > 0, (table, rows, counted)
    print(f"{table}: {rows} rows, {len(schema)} columns")

# The summary is what pandas makes of the runs.
summary = pd.read_csv("out/study-001/summary.csv").set_index("epsilon")
grouped = runs.groupby("epsilon")
for name, want in {
    "mean_km": grouped.detection_km.mean(), "median_km": grouped.detection_km.median(), "p10_km": grouped.detection_km.quantile(0.1),
    "detected_before_handover": grouped.detected_before_handover.mean(), "fallback": grouped.fallback.mean(),
    "cost_of_privacy": grouped.cost_of_privacy.mean(), "path_overhead": grouped.path_overhead.mean(),
}.items():
    pd.testing.assert_series_equal(summary[name], want, check_names=False, check_dtype=False, rtol=1e-12)
assert np.isfinite(pd.read_parquet("out/tune-001/surface.parquet").to_numpy(dtype=float, na_value=0)).all()
trajectory = pd.read_parquet("out/run-001/trajectory.parquet")
pd.testing.assert_frame_equal(trajectory, pd.read_csv("out/run-001/trajectory.csv"), check_dtype=False, rtol=1e-12)
assert flights.groupby(["epsilon", "run"]).size().gt(500).all() and len(flights.groupby(["epsilon", "run"])) == 40
assert np.isfinite(flights.to_numpy(dtype=float)).all() and 0 < north.mean() < 1
print("the summary agrees with the runs, trajectory.csv with trajectory.parquet")

# The package for Python returns what the files hold.
import veilpath

flown = veilpath.runs(epsilons=[0.4, 1], runs=20)
assert len(flown) == 40 and flown.attrs["summary"].epsilon.tolist() == [0.4, 1.0], flown
same = runs[runs.epsilon.isin([0.4, 1.0]) & (runs.run < 20)].sort_values(["epsilon", "run"]).detection_km.to_numpy()
np.testing.assert_array_equal(flown.sort_values(["epsilon", "run"]).detection_km, same)

means = veilpath.study(epsilons=[0.4, 1], runs=20)
np.testing.assert_array_equal(means.mean_km, flown.attrs["summary"].mean_km)
exec(compile(open("plane.py").read(), "plane.py", "exec"))
assert plane.shape == (21, 9) and plane.notna().all(axis=None) and (plane.diff().dropna() >= 0).all(axis=None), plane


class Corridor:
    """As gymnasium's toy environments are, with the numbers of numpy that they hold."""

    class unwrapped:
        P = {s: {a: [(np.float64(1.0), np.int64(s + a), np.float64(10 * (s + a == 2)), np.bool_(s + a == 2))] for a in (0, 1)} for s in (0, 1)}
        P[2] = {a: [(1.0, 2, 0, True)] for a in (0, 1)}


policy = veilpath.plan(Corridor(), discount=0.5)
assert policy.value.tolist() == [5.0, 10.0, 0.0] and policy.action.tolist()[:2] == [1, 1], policy
costs = veilpath.cost(Corridor(), epsilons=[1, 4], runs=50, discount=0.5, mechanism="input")
assert costs.epsilon.tolist() == [1.0, 4.0] and len(costs.attrs["runs"]) == 100, costs
np.testing.assert_allclose(costs.cost_of_privacy, costs.attrs["runs"].groupby("epsilon").cost_of_privacy_input.mean(), rtol=1e-12)
tuned = veilpath.tune(Corridor(), max_cost="20%", discount=0.5, max_runs=500)
assert tuned.attrs["answer"]["met"] and tuned.attrs["answer"]["epsilon"] in tuned.epsilon.tolist(), tuned
try:
    veilpath.cost(Corridor(), epsilons=[-1])
    raise AssertionError("a negative epsilon is taken")
except veilpath.Error as error:
    assert "epsilons" in str(error), error
assert len(veilpath.leak(flights=10, epsilons=[1])) > 0

# Live environments of gymnasium are worth what value iteration on their tables finds.
import gymnasium


def value_iteration(table, discount):
    v, left = np.zeros(len(table)), np.ones(len(table))
    while left.max() > 1e-12:
        new = np.array([max(sum(p * (r + discount * v[s2] * (not end)) for p, s2, r, end in table[s][a]) for a in table[s]) for s in range(len(table))])
        v, left = new, np.abs(new - v)
    return v


for name in "FrozenLake", "CliffWalking", "Taxi":
    env = gymnasium.make(max(full for full in gymnasium.registry if full.startswith(name + "-v")))
    discount = 0.9
    values = value_iteration(env.unwrapped.P, discount)
    solved = veilpath.plan(env, discount=discount).set_index("state").value
    started = env.reset(seed=1)[0]
    assert abs(solved[started] - values[started]) < 1e-8, (name, solved[started], values[started])
    costs = veilpath.cost(env, epsilons=[1, 64], runs=20, discount=discount, start=started)
    assert costs.cost_of_privacy.iloc[0] > costs.cost_of_privacy.iloc[1] >= 0, costs
    print(f"gymnasium {gymnasium.__version__}, {env.spec.id}: worth {solved[started]:.4f}, privacy costs {costs.cost_of_privacy.iloc[0]:.0%} at epsilon 1")
print("the package for Python agrees with the files")
