"""A plot of series over numbers."""

import math

COLOURS = ["#4053d3", "#ddb310", "#b51d14", "#00beff", "#fb49b0", "#00b25d", "#8a8a8a"]


def line_plot(series, title, x_label, value_text):
    """An SVG of series by name, each of values by number, both axes logarithmic. The values' axis
    reads as `value_text` puts it."""
    width, height, left, right, top, bottom = 860, 520, 70, 150, 30, 50
    sizes = sorted({n for points in series.values() for n in points})
    values = [value for points in series.values() for value in points.values()]
    low = 10 ** math.floor(math.log10(min(values)))
    high = 10 ** math.ceil(math.log10(max(values)))

    def x(n):
        share = math.log(n / sizes[0]) / math.log(sizes[-1] / sizes[0]) if len(sizes) > 1 else 0.5
        return left + share * (width - left - right)

    def y(value):
        share = math.log(value / low) / math.log(high / low)
        return height - bottom - share * (height - top - bottom)

    svg = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text x="{left}" y="18" font-weight="bold">{title}</text>',
    ]
    decade = low
    while decade <= high * 1.01:
        svg.append(f'<line x1="{left}" x2="{width - right}" y1="{y(decade):.1f}" '
                   f'y2="{y(decade):.1f}" stroke="#dddddd"/>')
        svg.append(f'<text x="{left - 8}" y="{y(decade) + 4:.1f}" text-anchor="end">'
                   f"{value_text(decade)}</text>")
        decade *= 10
    for n in sizes:
        svg.append(f'<text x="{x(n):.1f}" y="{height - bottom + 20}" text-anchor="middle">{n}'
                   "</text>")
    svg.append(f'<text x="{(left + width - right) / 2}" y="{height - 10}" text-anchor="middle">'
               f"{x_label}</text>")
    labels = []
    for (name, points), colour in zip(series.items(), COLOURS):
        path = " ".join(f"{x(n):.1f},{y(points[n]):.1f}" for n in sorted(points))
        svg.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for n, value in points.items():
            svg.append(f'<circle cx="{x(n):.1f}" cy="{y(value):.1f}" r="3" fill="{colour}"/>')
        labels.append([y(points[max(points)]), name, colour])
    # Labels stand at the ends of their lines, pushed apart where those meet.
    labels.sort()
    for i in range(1, len(labels)):
        labels[i][0] = max(labels[i][0], labels[i - 1][0] + 16)
    for at, name, colour in labels:
        svg.append(f'<text x="{width - right + 10}" y="{at + 4:.1f}" fill="{colour}">{name}</text>')
    svg.append("</svg>")
    return "\n".join(svg) + "\n"
