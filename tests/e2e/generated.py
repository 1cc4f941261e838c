"""The modules that protoc generates from proto/."""

import tempfile
from pathlib import Path

from raw_client import compile_protocol

_folder = tempfile.TemporaryDirectory(prefix="tictactoe-proto-")  # removed when the program ends
protocol = compile_protocol(Path(__file__).resolve().parents[2] / "proto", Path(_folder.name))
