"""Prints the outcome of a corpus run as a table, and writes it as CSV."""

import re
from collections import Counter

import outcome

HEADINGS = ["folder", "files", "not parsed", "refused", "analysed", "crash",
            "hang", "bad output", "kernels", "estimated", "unresolved", "lost",
            "share"]
CSV_HEADINGS = ["folder", "file", "status", "seconds", "detail",
                "kernels_emitted", "estimated", "unresolved", "lost",
                "bad_numbers", "named_in_text", "unseen", "parse_differs",
                "reasons"]


def summarise(name, results):
    """One row: counts of files by status, then of kernels in analysed files."""
    status = Counter(result.status for result in results)
    estimated = sum(len(result.estimated) for result in results)
    unresolved = sum(len(result.unresolved) for result in results)
    lost = sum(len(result.lost) for result in results)
    kernels = estimated + unresolved + lost
    share = f"{100.0 * estimated / kernels:.1f} %" if kernels else "-"
    return [name, len(results), status[outcome.NOT_PARSED],
            status[outcome.REFUSED], status[outcome.ANALYSED],
            status[outcome.CRASH], status[outcome.HANG],
            status[outcome.BAD_OUTPUT], kernels, estimated, unresolved, lost,
            share]


def print_aligned(rows):
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
    for row in cells:
        print("  ".join([row[0].ljust(widths[0])] +
                        [cell.rjust(width)
                         for cell, width in zip(row[1:], widths[1:])]))


def generalise(reason):
    """Takes out what differs from case to case, so that like reasons meet."""
    reason = re.sub(r"'[^']*'", "'...'", reason)
    reason = re.sub(r"\S+\.(?:cuh?|h|hpp|c|cpp)(?::\d+)+", "FILE:LINE", reason)
    return re.sub(r"\b\d+\b", "N", reason)


def print_list(title, lines):
    if lines:
        print(f"\n{title}")
        for line in lines:
            print(f"  {line}")


def print_summary(by_folder):
    rows = [summarise(name, results) for name, results in by_folder.items()]
    every = [result for results in by_folder.values() for result in results]
    if len(rows) > 1:
        rows.append(summarise("total", every))
    print_aligned([HEADINGS] + rows)

    for status in [outcome.CRASH, outcome.HANG, outcome.BAD_OUTPUT,
                   outcome.REFUSED]:
        print_list(f"{status}:", [f"{result.file}: {result.detail}"
                                  for result in every
                                  if result.status == status])
    print_list("lost kernels:", [f"{result.file}: {kernel}"
                                 for result in every for kernel in result.lost])
    print_list("no positive time:",
               [f"{result.file}: {kernel}" for result in every
                for kernel in result.bad_numbers])
    print_list("parsed by clang, not by the tool:",
               [f"{result.file}: {result.detail}" for result in every
                if result.parse_differs])
    reasons = Counter(generalise(reason) for result in every
                      for reason in result.unresolved.values())
    print_list("reasons of unresolved kernels:",
               [f"{count:4} {reason}" for reason, count
                in reasons.most_common()])
    slowest = max(every, key=lambda result: result.seconds)
    print(f"\nslowest: {slowest.seconds:.1f} s, {slowest.file}")


def write_csv(writer, by_folder):
    writer.writerow(CSV_HEADINGS)
    for folder, results in by_folder.items():
        for result in results:
            emitted = "" if result.emitted is None else result.emitted
            writer.writerow([
                folder, result.file, result.status, f"{result.seconds:.2f}",
                result.detail, emitted, len(result.estimated),
                len(result.unresolved), " ".join(result.lost),
                " ".join(result.bad_numbers), result.named,
                " ".join(result.unseen), int(result.parse_differs),
                " | ".join(f"{kernel}: {reason}" for kernel, reason
                           in sorted(result.unresolved.items()))])
