#!/usr/bin/env python3
"""Random edits and requests against every protocol of `gpu-estimate serve`.

    test_soak.py [--seconds N] [--pause SECONDS] [--kills N] [--seed N]

Every protocol has a client (soak.py) in a thread of its own, which waits between
two requests for up to twice the pause, as somebody who types. Each server is
killed, at random times in the first third. At the end no file is left in the
folder for temporary files, and no server has grown by more than 10% from the
middle to the last third of its life (50% where it lived less than ten minutes:
its memory of results is then still filling). Without options: 30 seconds, which
is what scripts/test runs.
"""

import argparse
import os
import tempfile
import threading
import time
import traceback
from pathlib import Path

import soak

GROWTH, GROWTH_OF_SHORT_LIFE, SHORT_LIFE = 1.1, 1.5, 600

BUILD = Path(os.environ.get("BUILD", soak.ROOT / "build"))


class Actor(threading.Thread):
    def __init__(self, client, options, stop):
        super().__init__()
        self.client, self.options, self.stop = client, options, stop
        self.failure = ""

    def run(self):
        try:
            self.live()
        except Exception:  # whatever it is, it fails the test
            self.failure = traceback.format_exc()
            self.stop.set()

    def live(self):
        client, options = self.client, self.options
        began = time.monotonic()
        kills = sorted(client.chance.uniform(0, options.seconds / 3)
                       for _ in range(options.kills))
        client.begin()
        while (now := time.monotonic() - began) < options.seconds:
            if kills and now > kills[0]:
                kills.pop(0)
                client.kill()
            client.step()
            if self.stop.wait(client.chance.uniform(0, 2 * options.pause)):
                return


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--pause", type=float, default=0.1)
    parser.add_argument("--kills", type=int, default=1)
    parser.add_argument("--seed", default="1")
    options = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        temporary = Path(folder, "temporary")
        temporary.mkdir()
        os.environ["TMPDIR"] = str(temporary)
        stop = threading.Event()
        actors = []
        for kind in soak.CLIENTS:
            own = Path(folder, kind.NAME)
            own.mkdir()
            client = kind(BUILD / "bin" / "gpu-estimate", own, options.seed)
            actors.append(Actor(client, options, stop))
            actors[-1].start()
        for actor in actors:
            actor.join()
        for actor in actors:
            client = actor.client
            if client.server:
                client.server.kill()
                client.server.wait()
            if actor.failure:
                print(actor.failure)
                failed = True
                continue
            growth = client.growth()
            print(f"{client.NAME}: {client.asked} requests, {client.compared} "
                  f"answers as on the command line, {client.kills} kills, "
                  f"{client.samples[-1][1] / 2**20:.0f} MiB, memory of the last "
                  f"third {growth:.2f} of the middle third")
            life = client.samples[-1][0] - client.samples[0][0]
            if growth > (GROWTH if life > SHORT_LIFE else GROWTH_OF_SHORT_LIFE):
                print(f"FAILED: {client.NAME} grows")
                failed = True
        left = sorted(str(p.relative_to(temporary)) for p in temporary.rglob("*"))
        if left:
            print("FAILED: temporary files are left:", *left)
            failed = True
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
