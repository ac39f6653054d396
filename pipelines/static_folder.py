"""A folder of files written whole or not at all: a reader finds the old one or the new one, never half of one."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from models.errors import BadQuestion


def replace_folder(target: Path, files: Mapping[str, bytes]) -> None:
    """Write ``files`` beside ``target`` and put them in its place.

    A killed run leaves the old folder, or (killed between the two renames) its whole copy under ``.NAME.old``, which
    the next run puts back first. The folder is ours alone: one that holds anything else is not touched.

    Parameters
    ----------
    files : name -> content; plain names, no folders.

    Raises
    ------
    BadQuestion : the target is a file, or holds something that is not in ``files``.
    """
    target = target.resolve()  # a link to a web root stays a link
    if not target.name:
        raise BadQuestion("is no folder to write to", key="--out", found=str(target))
    new, old = target.with_name(f".{target.name}.new"), target.with_name(f".{target.name}.old")
    if old.exists() and not target.exists():
        old.rename(target)
    _only_ours(target, files)
    for leftover in (new, old):
        shutil.rmtree(leftover, ignore_errors=True)
    new.mkdir(parents=True)
    try:
        for name, content in files.items():
            (new / name).write_bytes(content)
        if target.exists():
            target.rename(old)
        new.rename(target)
    finally:
        shutil.rmtree(new, ignore_errors=True)
    shutil.rmtree(old, ignore_errors=True)


def _only_ours(target: Path, files: Mapping[str, bytes]) -> None:
    if target.exists() and not target.is_dir():
        raise BadQuestion("is a file, not a folder", key="--out", found=str(target))
    strange = sorted(one.name for one in target.iterdir() if one.name not in files) if target.exists() else []
    if strange:
        raise BadQuestion(
            "holds files of others, which would be lost; name a folder of its own", key="--out", found=strange[0]
        )
