"""report.py: tables of ratios, a CSV of raw times, a bar chart."""
import csv
import math
import os


def best(samples):
    """The least CPU time of the good runs, in seconds, or None."""
    times = [s.cpu for s in samples if s.good]
    return min(times) if times else None


def is_unsteady(samples):
    """Did good runs differ by more than a quarter? Then the least of them tells only half of the story."""
    times = [s.cpu for s in samples if s.good]
    return len(times) > 1 and max(times) > 1.25 * min(times)


def ratios(results, program, modes):
    """Ratio to native per mode; None when it was not run or went wrong."""
    base = best(results.get((program.name, "native"), []))
    times = [best(results.get((program.name, m.name), [])) for m in modes]
    return [t / base if t and base else None for t in times]


def mean(values):
    values = [v for v in values if v]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def cell(value, width=10, digits=2):
    return f"{value:{width}.{digits}f}" if value else f"{'-':>{width}}"


def native_time(results, program):
    t = best(results.get((program.name, "native"), []))
    return "" if t is None else f"{t * 1000:7.1f} ms" if t < 0.1 else f"{t:7.2f} s "


def memory(results, program, mode):
    """Peak memory over native in MB."""
    base = [s.rss for s in results.get((program.name, "native"), [])]
    here = [s.rss for s in results.get((program.name, mode.name), []) if s.good]
    return max(0.01, (min(here) - min(base)) / 1024) if base and here else None


def text(results, programs, modes):
    """One table per class: native CPU time, then ratios of CPU time to native, then the first mode's extra memory. A mean
    that lacks a program has a star: it does not compare with its neighbours."""
    out, others = [], [m for m in modes if m.name != "native"]
    for cls in dict.fromkeys(p.cls for p in programs):
        some = [p for p in programs if p.cls == cls]
        out.append(f"\n{cls:14}{'native':>10}" + "".join(f"{m.name[:10]:>10} " for m in others) + ("   memory" if others else ""))
        for p in some:
            marks = ["~" if is_unsteady(results.get((p.name, m.name), [])) else " " for m in others]
            row = "".join(cell(r) + mark for r, mark in zip(ratios(results, p, others), marks))
            mb = memory(results, p, others[0]) if others else None
            out.append(f"{p.name:14}{native_time(results, p):>10}{row}" + (f" {mb:+6.1f} MB" if mb else ""))
        columns = list(zip(*(ratios(results, p, others) for p in some)))
        if len(some) > 1 and others:
            out.append(f"{'geo. mean':24}" + "".join(cell(mean(c)) + (" " if all(c) else "*") for c in columns))
            out.append(f"{'worst':24}" + "".join(cell(max((v for v in c if v), default=None)) + " " for c in columns))
    return "\n".join(out) + "\n"


def write_csv(path, results):
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["class", "program", "mode", "run", "user_us", "sys_us", "wall_us", "rss_kb", "status", "output"])
        for (name, mode), samples in results.items():
            for i, s in enumerate(samples):
                out.writerow([s.cls, name, mode, i, s.user, s.sys, s.wall, s.rss, s.status, "same" if s.good else "different"])


COLOURS = ["#1b6ca8", "#d1603d", "#7a9e3f", "#8d6a9f", "#c9a227", "#5f6b73", "#3d9e9e", "#a83b5e"]


def write_svg(path, results, programs, modes):
    """Bars of the ratios on a logarithmic scale, classes from top to bottom, a bar per mode."""
    others = [m for m in modes if m.name != "native"]
    if not others:
        return
    row, left, width, y, body = 7 * len(others) + 8, 120, 640, 54, []
    top = max([v for p in programs for v in ratios(results, p, others) if v] or [2])
    scale = width / math.log(max(top, 2) * 1.1 / 0.8)

    def x(value):
        return left + scale * math.log(max(value, 0.8) / 0.8)

    for cls in dict.fromkeys(p.cls for p in programs):
        some = [p for p in programs if p.cls == cls]
        body.append(f'<text x="8" y="{y + 12}" font-weight="bold">{cls}</text>')
        y += 18
        lists = [(p.name, ratios(results, p, others)) for p in some]
        lists.append(("geo. mean", [mean(c) for c in zip(*(v for _, v in lists))]))
        for name, values in lists:
            body.append(f'<text x="{left - 6}" y="{y + row / 2}" text-anchor="end">{name}</text>')
            for i, v in enumerate(values):
                if v:
                    body.append(f'<rect x="{x(0.8):.1f}" y="{y + 7 * i}" width="{max(1, x(v) - left):.1f}" height="6" fill="{COLOURS[i % 8]}">'
                                f"<title>{name}, {others[i].name}: {v:.2f}</title></rect>")
            y += row
        y += 8
    ticks = [t for t in (1, 1.25, 1.5, 2, 3, 5, 10, 20, 50, 100) if t <= top * 1.1]
    axis = "".join(f'<line x1="{x(t):.1f}" x2="{x(t):.1f}" y1="44" y2="{y}" stroke="#ccc"/><text x="{x(t):.1f}" y="40" text-anchor="middle">{t}</text>'
                   for t in ticks)
    legend = "".join(f'<rect x="{left + 100 * i}" y="8" width="10" height="10" fill="{COLOURS[i % 8]}"/><text x="{left + 14 + 100 * i}" y="17">{m.name}</text>'
                     for i, m in enumerate(others))
    with open(path, "w") as out:
        out.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 20}" height="{y + 10}" font-family="sans-serif" font-size="11">'
                  f'<rect width="100%" height="100%" fill="white"/>{axis}{legend}{"".join(body)}</svg>\n')


def write_all(folder, csv_path, results, programs, modes):
    os.makedirs(folder, exist_ok=True)
    write_csv(csv_path, results)
    write_svg(os.path.join(folder, "results.svg"), results, programs, modes)
    table = text(results, programs, modes)
    with open(os.path.join(folder, "results.txt"), "w") as out:
        out.write(table)
    return table
