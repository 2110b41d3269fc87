"""Packs the package with nothing but Python: a wheel is a zip with three files of metadata.

pip calls it as the build backend that pyproject.toml names (PEP 517): neither does `pip install` of the folder need an
index, nor a build a tool. By hand, `python3 packaging/wheel_backend.py FOLDER` writes the wheel there and prints its
path.
The same sources give the same bytes.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import re
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any, cast

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src"
PACKAGE = "stablecoin_sdk"
# The first moment that a zip can name.
WRITTEN_AT = (1980, 1, 1, 0, 0, 0)
TAG = "py3-none-any"
WHEEL = f"Wheel-Version: 1.0\nGenerator: stablecoin-sdk\nRoot-Is-Purelib: true\nTag: {TAG}\n"


def build_wheel(wheel_directory: str, config_settings: object = None, metadata_directory: str | None = None) -> str:
    project = _project()
    about = f"{PACKAGE}-{_version()}.dist-info"
    files = {path.relative_to(SOURCE).as_posix(): path.read_bytes() for path in _sources()}
    files[f"{about}/METADATA"] = _metadata(project).encode()
    files[f"{about}/WHEEL"] = WHEEL.encode()
    record = f"{about}/RECORD"
    listed = [f"{name},{_digest(data)},{len(data)}" for name, data in files.items()]
    files[record] = "\n".join([*listed, f"{record},,", ""]).encode()
    name = f"{PACKAGE}-{_version()}-{TAG}.whl"
    with zipfile.ZipFile(Path(wheel_directory) / name, "w") as wheel:
        for file, data in files.items():
            entry = zipfile.ZipInfo(file, WRITTEN_AT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            wheel.writestr(entry, data)
    return name


def build_sdist(sdist_directory: str, config_settings: object = None) -> str:
    base = f"{PACKAGE}-{_version()}"
    files = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in _sources()}
    for kept in ("pyproject.toml", "README.md", "packaging/wheel_backend.py"):
        files[kept] = (ROOT / kept).read_bytes()
    files["PKG-INFO"] = _metadata(_project()).encode()
    with (
        open(Path(sdist_directory) / f"{base}.tar.gz", "wb") as file,
        gzip.GzipFile(fileobj=file, mode="wb", filename="", mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w") as archive,
    ):
        for name, data in sorted(files.items()):
            entry = tarfile.TarInfo(f"{base}/{name}")
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return f"{base}.tar.gz"


def _sources() -> list[Path]:
    kept = (path for path in (SOURCE / PACKAGE).rglob("*") if path.suffix == ".py" or path.name == "py.typed")
    return sorted(kept)


def _project() -> dict[str, Any]:
    return cast("dict[str, Any]", tomllib.loads((ROOT / "pyproject.toml").read_text())["project"])


def _version() -> str:
    found = re.search(r'VERSION = "([^"]+)"', (SOURCE / PACKAGE / "_version.py").read_text())
    if found is None:
        raise ValueError("_version.py names no version")
    return found[1]


def _metadata(project: dict[str, Any]) -> str:
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {project['name']}",
        f"Version: {_version()}",
        f"Summary: {project['description']}",
        f"Requires-Python: {project['requires-python']}",
        *(f"Classifier: {classifier}" for classifier in project["classifiers"]),
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(lines) + "\n\n" + (ROOT / "README.md").read_text()


def _digest(data: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    print(Path(sys.argv[1]).resolve() / build_wheel(sys.argv[1]))
