"""E1 to E12 (facts: overload, section 6.5), each with what was expected and what was measured."""

import argparse
import os
import sys

import lab
import overload
import rooms
import settings
import versus
from lab import house

EXPERIMENTS = {
    "E1": overload.e1, "E2": overload.e2, "E3": overload.e3, "E5": overload.e5, "E6": overload.e6,
    "E7": overload.e7, "E8": rooms.e8, "E9": settings.e9, "E10": rooms.e10, "E11": rooms.e11,
    "E12": rooms.e12,
}
ALL = list(EXPERIMENTS)
QUICK = ["E1", "E2", "E6", "E10", "E12"]


def main():
    parser = argparse.ArgumentParser(prog="Tests/Experiments/run", description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--csv", metavar="FILE")
    parser.add_argument("names", nargs="*", metavar="E1")
    arguments = parser.parse_args()
    # E4 is measured in every storm of E2 and E3.
    wanted = ["E2" if name == "E4" else name for name in arguments.names]
    names = wanted or (QUICK if arguments.quick else ALL)
    unknown = [name for name in names if name not in EXPERIMENTS]
    if unknown:
        parser.error(f"there is no {', '.join(unknown)}")
    for binary in (house.AASA, lab.EXPERIMENT_SERVER):
        if not os.access(binary, os.X_OK):
            print(f"{binary} is not there: swift build -c release", file=sys.stderr)
            return 3
    run = lab.Run(arguments.quick)
    try:
        for name in names:
            EXPERIMENTS[name](run)
        if arguments.peers:
            versus.compare(run)
    except (lab.CannotRun, RuntimeError) as problem:
        print(f"cannot run: {problem}", file=sys.stderr)
        return 3
    if arguments.csv:
        run.table.write(arguments.csv)
    print(f"{run.table.count('ok')} as expected, {run.table.count('NOT')} not")
    return 0 if run.table.good else 1


if __name__ == "__main__":
    sys.exit(main())
