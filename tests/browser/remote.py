"""A page in the network namespace in which this runs, for tests that run in another one.

Standard input is one call of Page per line, in JSON: its name and its arguments. Each is answered by `did`
and its result, or `failed` and why."""

import json
import sys

from browser import Page

with Page(0, protocol="https") as page:
    page.address = ""  # places are whole links
    print("ready", flush=True)
    for line in sys.stdin:
        name, *arguments = json.loads(line)
        try:
            print("did", json.dumps(getattr(page, name)(*arguments)), flush=True)
        except Exception as error:  # pylint: disable=broad-except
            print("failed", json.dumps(str(error)), flush=True)
