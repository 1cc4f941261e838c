#!/usr/bin/env python3
"""Turns the JSON of engine_bench into a table (engine.md) and a plot (engine.svg).

    engine_report.py RESULTS.json OUTPUT_DIR

Standard library only.
"""

import json
import math
import pathlib
import platform
import sys

COLOURS = ["#4053d3", "#ddb310", "#b51d14", "#00beff", "#fb49b0", "#00b25d", "#8a8a8a"]
GROWTH = {"(1)": "1", "N": "n", "N^2": "n²", "lgN": "log n", "NlgN": "n log n", "N^3": "n³"}


def cpu_name():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


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
        f"Measured on one core of {cpu_name()} ({context['num_cpus']} cores), "
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
    """Cost against n, both axes logarithmic."""
    width, height, left, right, top, bottom = 860, 520, 70, 150, 30, 50
    sizes = sorted({n for points in series.values() for n in points})
    costs = [cost for points in series.values() for cost in points.values()]
    low = 10 ** math.floor(math.log10(min(costs)))
    high = 10 ** math.ceil(math.log10(max(costs)))

    def x(n):
        share = math.log(n / sizes[0]) / math.log(sizes[-1] / sizes[0])
        return left + share * (width - left - right)

    def y(cost):
        share = math.log(cost / low) / math.log(high / low)
        return height - bottom - share * (height - top - bottom)

    svg = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text x="{left}" y="18" font-weight="bold">Cost of one move against the side of the '
        "board</text>",
    ]
    decade = low
    while decade <= high * 1.01:
        svg.append(f'<line x1="{left}" x2="{width - right}" y1="{y(decade):.1f}" '
                   f'y2="{y(decade):.1f}" stroke="#dddddd"/>')
        svg.append(f'<text x="{left - 8}" y="{y(decade) + 4:.1f}" text-anchor="end">'
                   f"{time_text(decade)}</text>")
        decade *= 10
    for n in sizes:
        svg.append(f'<text x="{x(n):.1f}" y="{height - bottom + 20}" text-anchor="middle">{n}'
                   "</text>")
    svg.append(f'<text x="{(left + width - right) / 2}" y="{height - 10}" text-anchor="middle">'
               "n (board of n x n, n in a row)</text>")
    labels = []
    for (name, points), colour in zip(series.items(), COLOURS):
        path = " ".join(f"{x(n):.1f},{y(points[n]):.1f}" for n in sorted(points))
        svg.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for n, cost in points.items():
            svg.append(f'<circle cx="{x(n):.1f}" cy="{y(cost):.1f}" r="3" fill="{colour}"/>')
        labels.append([y(points[max(points)]), name, colour])
    # Labels stand at the ends of their lines, pushed apart where those meet.
    labels.sort()
    for i in range(1, len(labels)):
        labels[i][0] = max(labels[i][0], labels[i - 1][0] + 16)
    for at, name, colour in labels:
        svg.append(f'<text x="{width - right + 10}" y="{at + 4:.1f}" fill="{colour}">{name}</text>')
    svg.append("</svg>")
    return "\n".join(svg) + "\n"


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
