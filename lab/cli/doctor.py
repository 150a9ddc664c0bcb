"""The verb that looks at the machine."""

from typing import Annotated

from typer import Exit, Option

from lab.cli.options import AsJson
from lab.cli.show import print_json, print_table


def doctor(
    storage: Annotated[
        str | None,
        Option(metavar="URL|RUN", help="Whether this database answers, or this journal is whole."),
    ] = None,
    json: AsJson = False,
) -> None:
    """Say what this machine has, and what is wrong with it.

    Versions, kernels, threads, streams, speed, storage, and what tests need; what is wrong in a
    line each, and then the exit status is 1. Nothing is compiled.
    """
    from lab.doctor import examine

    findings = examine(storage)
    faults = [finding for finding in findings if finding.state == "wrong"]
    if json:
        print_json({"well": not faults, "findings": [vars(finding) for finding in findings]})
    else:
        print_table(("what", "found"), [(finding.what, finding.found) for finding in findings])
        print()
        for state in ("note", "wrong"):
            for finding in findings:
                if finding.state == state:
                    print(f"{state}: {finding.what}: {finding.found}: {finding.do}")
        print(f"{len(faults)} wrong" if faults else "all is well")
    if faults:
        raise Exit(1)
