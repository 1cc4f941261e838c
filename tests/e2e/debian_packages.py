"""The packages, made of the programs of this build, with the tools of Debian."""

import os
import pathlib
import shutil
import subprocess

from programs import TIMEOUT

BUILD = pathlib.Path(os.environ.get("TICTACTOE_BUILD") or
                     pathlib.Path(__file__).parents[2] / "build/release")
# Names of packages, with the component of the build and the program.
COMPONENTS = {"tictactoe-server": "server", "tictactoe": "client", "tictactoe-engine": "engine"}


def missing():
    """Why there can be no packages here; None if there can."""
    for tool, package in {"cpack": "cmake", "dpkg-deb": "dpkg", "dpkg-shlibdeps": "dpkg-dev"}.items():
        if not shutil.which(tool):
            return f"{tool} is not installed (package {package})"
    if not (BUILD / "CPackConfig.cmake").exists() or not (BUILD / "docs/packages").exists():
        return "this build makes no packages: scdoc or gzip is missing"
    return None


def make(folder, *names, version=None, quick=False, **environment):
    """Makes the packages of these names, or all, in a folder; their paths by name. If `quick`, with
    another compression."""
    names = names or tuple(COMPONENTS)
    command = ["cpack", "--config", BUILD / "CPackConfig.cmake", "-B", folder,
               "-D", "CPACK_COMPONENTS_ALL=" + ";".join(COMPONENTS[name] for name in names)]
    if quick:
        command += ["-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip"]
    if version:
        command += ["-D", f"CPACK_PACKAGE_VERSION={version}"]
    variables = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000", **environment}
    made = subprocess.run(command, cwd=BUILD, env=variables, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False, timeout=5 * TIMEOUT,
                          umask=0o022)
    if made.returncode != 0:
        raise AssertionError(made.stdout)
    found = {}
    for path in sorted(pathlib.Path(folder).glob("*.deb")):
        found[path.name.split("_")[0]] = path
    assert set(found) == set(names), found
    return found


def output(*command):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE,
                          timeout=TIMEOUT).stdout
