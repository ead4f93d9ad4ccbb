"""veilpath from Python: it runs the program and returns pandas frames of the CSV files that it writes.

    import veilpath
    means = veilpath.study(epsilons=[0.4, 1], runs=200)            # a row per epsilon
    plane = veilpath.tune(epsilons=[0.2, 1, 4])                    # a row per radius and epsilon
    costs = veilpath.cost(env, epsilons=[1, 2, 4], discount=0.95)  # a live gymnasium environment, or a file

Every function takes the program's flags as keywords: max_cost="5%" is --max-cost 5%, a list is joined by commas, True
is a flag without a value, and set={"vehicle.speed_km_s": 2} sets keys. out="folder" keeps the files in that folder.
attrs["answer"] of every frame has the program's JSON, and attrs["manifest"] the manifest. An error of the program is
raised as an Error with the program's message.

The program is veilpath on the path (go install ./cmd/veilpath), or the one that the environment variable VEILPATH names.
Only runs, and the runs beside the costs, are read from Parquet, which takes pyarrow.
"""
from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from typing import Any

import pandas

__all__ = ["study", "runs", "cost", "tune", "leak", "plan", "program", "Error"]


class Error(Exception):
    """An error of the program, with its message."""


def program() -> str:
    """Returns the path of the program; an Error says how to install it if there is none."""
    name = os.environ.get("VEILPATH", "veilpath")
    if shutil.which(name) is None:
        raise Error(f"there is no program {name}; install it with go install ./cmd/veilpath, or name it in the variable VEILPATH")
    return name


def study(**flags: Any) -> pandas.DataFrame:
    """Flies a study and returns its means with their intervals, a row per epsilon."""
    return _ask(["study"], flags, "summary.csv")


def runs(**flags: Any) -> pandas.DataFrame:
    """Flies a study and returns its flights, a row per flight, which takes pyarrow."""
    if not _reads_parquet():
        raise Error("pyarrow is not installed, and pandas needs it to read Parquet; install it with pip install pyarrow")
    return _ask(["study"], flags, "runs.parquet", {"summary": "summary.csv"})


def cost(problem: Any, **flags: Any) -> pandas.DataFrame:
    """Measures the cost of privacy in a problem and returns a row per mechanism and epsilon. With pyarrow,
    attrs["runs"] has a row per run.

    A problem is a file, a preset, a gymnasium environment whose env.unwrapped.P is a table, or such a table.
    """
    with _file_of(problem) as name:
        return _ask(["cost", name], flags, "costs.csv", {"runs": "costs.parquet"})


def tune(problem: Any = None, **flags: Any) -> pandas.DataFrame:
    """Finds an epsilon: attrs["answer"]["epsilon"]. It returns the epsilons that were tried for a problem, and without
    one a row per radius of the observer and epsilon."""
    if problem is None:
        return _ask(["tune"], flags, "summary.csv")
    with _file_of(problem) as name:
        return _ask(["tune", name], flags, "trials.csv")


def plan(problem: Any, **flags: Any) -> pandas.DataFrame:
    """Returns the optimal policy and value of every state, and with an epsilon the private policy and its regret."""
    with _file_of(problem) as name:
        return _ask(["plan", name], flags, "policy.csv", {"reward": "reward.csv"})


def leak(**flags: Any) -> pandas.DataFrame:
    """Returns how many bits observers learn about the goal, a row per observer, epsilon and distance."""
    return _ask(["leak"], flags, "leakage.csv")


def _reads_parquet() -> bool:
    return importlib.util.find_spec("pyarrow") is not None


def _ask(verb: list[str], flags: Mapping[str, Any], table: str, others: Mapping[str, str] = {}) -> pandas.DataFrame:
    """Runs a verb and returns its table, with the other files of the folder in attrs."""
    with tempfile.TemporaryDirectory(prefix="veilpath-") as scratch:
        flags = dict(flags)
        out = pathlib.Path(flags.pop("out", os.path.join(scratch, "out")))
        command = [program(), *verb, *_arguments(flags), "--out", str(out), "--format", "json", "--quiet"]
        done = subprocess.run(command, capture_output=True, text=True)
        # If a demand is not met, the program prints its answer and exits with 1.
        if done.returncode != 0 and not (done.returncode == 1 and done.stdout and (out / table).exists()):
            raise Error(done.stderr.strip() or f"{' '.join(command)} ended with {done.returncode}")
        frame = _read(out / table)
        frame.attrs["answer"] = json.loads(done.stdout)
        frame.attrs["manifest"] = json.loads((out / "manifest.json").read_text())
        for name, file in others.items():
            if (out / file).exists() and (not file.endswith(".parquet") or _reads_parquet()):
                frame.attrs[name] = _read(out / file)
        if done.stderr:
            frame.attrs["remark"] = done.stderr.strip()
        return frame


def _read(path: pathlib.Path) -> pandas.DataFrame:
    return pandas.read_parquet(path) if path.suffix == ".parquet" else pandas.read_csv(path)


def _arguments(flags: Mapping[str, Any]) -> Iterator[str]:
    """Yields the command line for keywords."""
    for name, value in flags.items():
        flag = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            yield flag
        elif name == "set":
            for key, of in value.items():
                yield from (flag, f"{key}={_text(of)}")
        else:
            yield from (flag, _text(value))


def _text(value: Any) -> str:
    if isinstance(value, (list, tuple)) or hasattr(value, "tolist") and getattr(value, "ndim", 0):
        return ",".join(_text(v) for v in value)
    return repr(float(value)) if isinstance(value, float) else str(value)


@contextlib.contextmanager
def _file_of(problem: Any) -> Iterator[str]:
    """Yields the name of a problem's file. A problem that is not a file is written to one."""
    if isinstance(problem, (str, os.PathLike)):
        yield os.fspath(problem)
        return
    table = getattr(getattr(problem, "unwrapped", problem), "P", problem)
    if not hasattr(table, "items"):
        raise Error(f"{type(problem).__name__} has no table env.unwrapped.P of states and actions; save it in a format that veilpath plan --help lists")
    try:
        rows = {str(int(state)): {str(int(action)): [[float(p), int(to), float(reward), bool(ends)]
                                                     for p, to, reward, ends in outcomes]
                                  for action, outcomes in actions.items()} for state, actions in table.items()}
    except (AttributeError, TypeError, ValueError) as wrong:
        raise Error("a table has for every state, by action, a list of outcomes (probability, next state, reward, "
                    f"whether the episode ends): {wrong}") from wrong
    with tempfile.TemporaryDirectory(prefix="veilpath-") as scratch:
        name = os.path.join(scratch, "problem.json")
        with open(name, "w") as file:
            json.dump(rows, file)
        yield name
