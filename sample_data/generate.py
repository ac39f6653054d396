"""Write the sample record of the made-up Pine Hollow Sand Mine: same seed, same bytes, on any machine.

``python sample_data/generate.py`` rewrites every generated file beside it;
``python sample_data/generate.py --check`` writes them to a temporary folder and compares the bytes.
Nothing here shares code with the product: the record is its outside world.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from datetime import date
from pathlib import Path

import base_flow
import field
import lab
import makers
import scenario
import site_files
import truth
import verify
import world
from gauges import Gauges

HOME = Path(__file__).resolve().parent
FOLDERS = ("baseline", "nights", "truth")
TOP_FILES = ("site.toml", "policy.toml", "households.toml", "events.csv")


def build() -> dict[str, str]:
    """Every generated file by its path, checked."""
    true = world.build()
    gauges = Gauges(true)
    signed = base_flow.signed(gauges)
    files = {
        "site.toml": site_files.site_toml(signed),
        "policy.toml": site_files.POLICY,
        "households.toml": site_files.households_toml(),
        "events.csv": site_files.events_csv(),
    }
    for folder, night, before in scenario.deliveries():
        delivery = gauges.files(night, before) | lab.files(night, before) | _field_files(true, night, before)
        files |= {f"{folder}/{name}": text for name, text in sorted(delivery.items())}
    verify.check(files, signed)
    return files | {f"truth/{name}": text for name, text in truth.files(true, gauges, signed).items()}


def _field_files(true: world.World, night: date, before: date | None) -> dict[str, str]:
    tables = {
        f"hand-levels-{night}.csv": (field.HAND_HEADER, field.hand_levels(true, night, before)),
        f"totalizer-{night}.csv": (field.METER_HEADER, field.meter(true, night, before)),
        f"owner-log-{night}.csv": (field.LOG_HEADER, field.owner_log(true, night, before)),
        f"monthly-volumes-{night}.csv": (field.VOLUME_HEADER, _volumes(true, night)),
    }
    return field.loggers(true, night, before) | {
        name: makers.table(header, rows) for name, (header, rows) in tables.items() if rows
    }


def _volumes(true: world.World, night: date) -> list[list[object]]:
    years = {scenario.BASELINE_NIGHT: 2024, scenario.NIGHTS[-1]: 2025}
    return [field.volumes(true, years[night])] if night in years else []


def write(files: dict[str, str], home: Path) -> None:
    """Replace the generated files under a folder."""
    for folder in FOLDERS:
        shutil.rmtree(home / folder, ignore_errors=True)
    for name, text in files.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    (home / "households.toml").chmod(0o600)


def contents(home: Path) -> dict[str, bytes]:
    """The generated files under a folder, by path."""
    found = [home / name for name in TOP_FILES if (home / name).exists()]
    found += [path for folder in FOLDERS for path in (home / folder).rglob("*") if path.is_file()]
    return {path.relative_to(home).as_posix(): path.read_bytes() for path in found}


def differences(home: Path) -> list[str]:
    """Files that a fresh run would change, add or remove."""
    with tempfile.TemporaryDirectory() as folder:
        write(build(), Path(folder))
        fresh, here = contents(Path(folder)), contents(home)
    return sorted(name for name in fresh.keys() | here.keys() if fresh.get(name) != here.get(name))


def main() -> int:
    parser = argparse.ArgumentParser(description="Write the sample record.")
    parser.add_argument("--check", action="store_true", help="compare with a fresh run, change nothing")
    if parser.parse_args().check:
        changed = differences(HOME)
        print("\n".join(changed) if changed else "the sample record is what the generator writes")
        return 1 if changed else 0
    files = build()
    write(files, HOME)
    print(f"{len(files)} files, {sum(len(text.encode()) for text in files.values()) / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
