#!/usr/bin/env python3
"""Turns the JSON of engine_bench into a table (engine.md) and a plot (engine.svg).

    engine_report.py RESULTS.json OUTPUT_DIR

Standard library only.
"""

import json
import pathlib
import sys

from reporting import line_plot, processor

GROWTH = {"(1)": "1", "N": "n", "N^2": "n²", "lgN": "log n", "NlgN": "n log n", "N^3": "n³"}


def read(path):
    """Series by name: nanoseconds by n, the growth that fits, and the single figures."""
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
    return report["context"], series, growth, single


def time_text(nanoseconds):
    for limit, unit in ((1e3, "ns"), (1e6, "µs"), (1e9, "ms")):
        if nanoseconds < limit:
            value = nanoseconds / limit * 1e3
            return f"{value:.3g} {unit}"
    return f"{nanoseconds / 1e9:.3g} s"


def table(context, series, growth, single):
    sizes = sorted({n for points in series.values() for n in points})
    lines = [
        f"Measured on one core of {processor()} ({context['num_cpus']} cores), "
        f"{context['date'][:10]}.",
        "",
        "| one move, n x n | " + " | ".join(f"n = {n}" for n in sizes) + " | fits |",
        "|---|" + "---:|" * (len(sizes) + 1),
    ]
    for name, points in series.items():
        cells = [time_text(points[n]) if n in points else "" for n in sizes]
        lines.append(f"| {name} | " + " | ".join(cells) + f" | {growth.get(name, '')} |")
    lines += ["", "| random games | a move | moves a second |", "|---|---:|---:|"]
    for name, cost in single.items():
        lines.append(f"| {name} | {time_text(cost)} | {1e9 / cost:,.0f} |")
    counters = series.get("line counters", {})
    if counters:
        ratio = counters[max(counters)] / counters[min(counters)]
        lines += ["", f"Counters at n = {max(counters)} cost {ratio:.2f} times what they cost at "
                  f"n = {min(counters)}."]
    run, scan = single.get("15x15x5 run lengths"), single.get("15x15x5 full scan")
    if run and scan:
        lines.append(f"At 15x15x5 run lengths are {scan / run:.0f} times as fast as scanning the "
                     "board again.")
    return "\n".join(lines) + "\n"


def plot(series):
    return line_plot(series, "Cost of one move against the side of the board",
                     "n (board of n x n, n in a row)", time_text)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    context, series, growth, single = read(sys.argv[1])
    output = pathlib.Path(sys.argv[2])
    (output / "engine.md").write_text(table(context, series, growth, single))
    (output / "engine.svg").write_text(plot(series))
    print((output / "engine.md").read_text())
    print(f"written: {output / 'engine.md'}, {output / 'engine.svg'}")


if __name__ == "__main__":
    main()
