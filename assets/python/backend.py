"""Builds the wheel of the package, as PEP 517 has it. The version is that of CITATION.cff."""
import base64
import hashlib
import pathlib
import re
import zipfile

_HERE = pathlib.Path(__file__).parent
_METADATA = """Metadata-Version: 2.1
Name: veilpath
Version: {version}
Summary: Runs veilpath, an open simulator for the privacy of planning, and returns pandas frames
License: BSD-3-Clause
Requires-Python: >=3.9
Requires-Dist: pandas
Provides-Extra: parquet
Requires-Dist: pyarrow; extra == "parquet"
"""


def _version() -> str:
    """Returns the version of the program that the package came with."""
    for folder in (_HERE, *_HERE.parents):
        if (folder / "CITATION.cff").exists():
            return re.search(r"^version: (.+)$", (folder / "CITATION.cff").read_text(), re.M)[1]
    return "0"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None) -> str:
    """Writes the wheel and returns its name."""
    info = f"veilpath-{_version()}.dist-info"
    files = {f"veilpath/{file.name}": file.read_bytes() for file in sorted((_HERE / "veilpath").glob("*.py"))}
    files["veilpath/py.typed"] = b""
    files[f"{info}/METADATA"] = _METADATA.format(version=_version()).encode()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: veilpath\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = ""
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    wheel = f"veilpath-{_version()}-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return wheel
