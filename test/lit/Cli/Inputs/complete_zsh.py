#!/usr/bin/env python3
"""What zsh makes of a command line when the tabulator is pressed.

    complete_zsh.py FOLDER-OF-COMPLETIONS LINE
"""

import os
import pty
import re
import select
import sys
import time


def read_until(terminal, pattern, seconds=30):
    text = ""
    end = time.time() + seconds
    while time.time() < end:
        if select.select([terminal], [], [], 0.1)[0]:
            text += os.read(terminal, 65536).decode(errors="replace")
        plain = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text)
        if re.search(pattern, plain):
            return plain
    sys.exit(f"zsh says nothing like {pattern}: {text!r}")


def main():
    folder, line = sys.argv[1:]
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(TERM="dumb", PS1="READY ", COLUMNS="500", LINES="50")
        os.execvp("zsh", ["zsh", "-f", "-i"])
    os.write(terminal, f"unsetopt zle_bracketed_paste; PS1=; fpath=({folder} "
             "$fpath); autoload -U compinit; compinit -u -D; stty cols 500; "
             "echo SE''T\n".encode())
    read_until(terminal, "SET")
    # The line that the key leaves behind, for us to see.
    os.write(terminal, b"show() { zle -I; print -r -- \"LINE<$BUFFER>\" }; "
             b"zle -N show; bindkey '^X' show; bindkey '^I' complete-word; "
             b"echo BOU''ND\n")
    read_until(terminal, "BOUND")
    os.write(terminal, line.encode() + b"\t\x18")
    found = re.search(r"LINE<(.*?)>", read_until(terminal, r"LINE<.*?>"))
    print(found[1])
    os.write(terminal, b"\x03exit\n")


if __name__ == "__main__":
    main()
