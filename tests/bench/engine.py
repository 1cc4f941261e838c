from __future__ import annotations

import json
import pathlib
import subprocess
import tempfile

from runner import Bench

GROWTH = {"(1)": "1", "N": "n", "N^2": "n²", "lgN": "log n", "NlgN": "n log n", "N^3": "n³"}


def read(path):
    """Nanoseconds by n of each series, the growth that fits it, and the single figures."""
    report = json.loads(pathlib.Path(path).read_text())
    series, growth, single = {}, {}, {}
    for run in report["benchmarks"]:
        parts = run["name"].split("/")
        if run.get("aggregate_name") == "BigO":
            growth[parts[0].removesuffix("_BigO")] = GROWTH.get(run["big_o"], run["big_o"])
        elif run.get("run_type") == "aggregate":
            continue
        elif len(parts) > 1 and parts[1].isdigit():
            series.setdefault(parts[0], {})[int(parts[1])] = run["real_time"]
        else:
            single[parts[0]] = run["real_time"]
    return series, growth, single


def time_text(nanoseconds):
    for limit, unit in ((1e3, "ns"), (1e6, "µs"), (1e9, "ms")):
        if nanoseconds < limit:
            value = nanoseconds / limit * 1e3
            return f"{value:.3g} {unit}"
    return f"{nanoseconds / 1e9:.3g} s"


class Engine(Bench):
    """The engine: placing a mark, whole games, and choices of the AI's levels, by Google Benchmark."""

    title = "What a move costs the engine"
    rounds = 1

    def round(self) -> None:
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            subprocess.run([f"{self.bin}/engine_bench", f"--benchmark_out={file.name}",
                            "--benchmark_out_format=json", "--benchmark_min_time=0.2"], check=True,
                           stdout=subprocess.DEVNULL)
            self._series, self._growth, self._single = read(file.name)

    def report(self):
        series, single = self._series, self._single
        sizes = sorted({n for points in series.values() for n in points})
        yield "| one move, n x n | " + " | ".join(f"n = {n}" for n in sizes) + " | fits |"
        yield "|---|" + "---:|" * (len(sizes) + 1)
        for name, points in series.items():
            cells = [time_text(points[n]) if n in points else "" for n in sizes]
            yield f"| {name} | " + " | ".join(cells) + f" | {self._growth.get(name, '')} |"
        yield from ("", "| random games | a move | moves a second |", "|---|---:|---:|")
        for name, cost in single.items():
            yield f"| {name} | {time_text(cost)} | {1e9 / cost:,.0f} |"
        counters = series.get("line counters", {})
        if counters:
            ratio = counters[max(counters)] / counters[min(counters)]
            yield ""
            yield (f"Counters at n = {max(counters)} cost {ratio:.2f} times what they cost at "
                   f"n = {min(counters)}.")
