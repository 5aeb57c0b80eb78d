"""empty_root.py ROOT ARCHIVE: a root folder with the C library of this machine,
or of the folder $GLIBC_ROOT, and the archive unpacked as /any/folder."""
import os
import shutil
import sys
import tarfile
from pathlib import Path

root, archive = Path(sys.argv[1]), sys.argv[2]
system = Path(os.environ.get("GLIBC_ROOT", "/"))
libraries = Path("lib/x86_64-linux-gnu")
(root / libraries).mkdir(parents=True)
(root / "lib64").mkdir()
(root / "tmp").mkdir()
for name in ("libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1"):
    shutil.copy(system / libraries / name, root / libraries / name)
shutil.copy(system / libraries / "ld-linux-x86-64.so.2", root / "lib64")
with tarfile.open(archive) as tar:
    tar.extractall(root / "unpacked")
(root / "any").mkdir()
next((root / "unpacked").iterdir()).rename(root / "any" / "folder")
