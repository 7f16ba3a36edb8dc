#!/usr/bin/env python3
# /// script
# requires-python = ">=3.10"
# dependencies = ["polars>=1", "matplotlib>=3.8"]
# ///
"""Plots medians against n, with their interquartile ranges, from a result directory, as a figure for a paper. A median
of which not every run has an answer has a hollow marker.

    uv run scripts/plot.py results/textbook figure.pdf
    scripts/plot.py results/textbook figure.svg     # with polars and matplotlib installed

Reads timings.csv, whose columns are described in docs/FORMATS.md. One series per solver, variant, goal, number of threads and result.
"""
import argparse
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import matplotlib.ticker
import polars as pl

# Okabe & Ito: colours that colour-blind readers can distinguish; markers for printing in grey.
COLORS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#222222", "#E69F00", "#56B4E9"]
# One fewer than the colours, so that pairs of colour and marker repeat late.
MARKERS = ["o", "s", "^", "D", "v", "P"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=pathlib.Path, help="a result directory of queenlab sweep")
    parser.add_argument("figure", type=pathlib.Path, help="the figure to write: .pdf, .svg or .png")
    arguments = parser.parse_args()

    cells = pl.read_csv(arguments.directory / "timings.csv")
    # A column that no cell fills is not in the table.
    empty = [name for name in ["median_ns", "p25_ns", "p75_ns"] if name not in cells.columns]
    cells = cells.with_columns(pl.lit(None, pl.Int64).alias(name) for name in empty)
    cells = cells.filter(pl.col("median_ns").is_not_null())
    if cells.is_empty():
        parser.error(f"{arguments.directory}: timings.csv contains no times")

    plt.rcParams.update({"font.family": "serif", "font.size": 8, "pdf.fonttype": 42, "svg.fonttype": "none"})
    # The width of a text column.
    figure, axes = plt.subplots(figsize=(3.5, 3.2), layout="constrained")
    keys = [key for key in ["solver", "variant", "goal", "threads", "result"] if key in cells.columns]
    # The solver, and what differs between series.
    named = keys[:1] + [key for key in keys[1:] if cells[key].n_unique() > 1]
    series = cells.partition_by(keys, maintain_order=True)
    for index, own in enumerate(sorted(series, key=lambda own: own["solver"][0])):
        own = own.sort("n")
        name = ", ".join(f"{own[key][0]} threads" if key == "threads" else str(own[key][0]) for key in named)
        color, marker = COLORS[index % len(COLORS)], MARKERS[index % len(MARKERS)]
        seconds = own.select(pl.col("median_ns", "p25_ns", "p75_ns") / 1e9)
        axes.plot(own["n"], seconds["median_ns"], color=color, marker=marker, markersize=3, linewidth=1, label=name)
        partial = own.filter(pl.col("solved") < pl.col("runs"))
        axes.plot(partial["n"], partial["median_ns"] / 1e9, color=color, marker=marker, markersize=3, linewidth=0, fillstyle="none",
                  markerfacecolor="white")
        axes.fill_between(own["n"], seconds["p25_ns"], seconds["p75_ns"], color=color, alpha=0.2, linewidth=0)
    axes.set_yscale("log")
    axes.set_xlabel("$n$")
    axes.set_ylabel("time [s]")
    axes.xaxis.set_major_locator(matplotlib.ticker.MaxNLocator(integer=True))
    axes.grid(True, linewidth=0.3)
    figure.legend(loc="outside lower center", ncols=2, fontsize=6, frameon=False)
    figure.savefig(arguments.figure, metadata={"Title": arguments.directory.name} if arguments.figure.suffix == ".pdf" else None)


if __name__ == "__main__":
    main()
