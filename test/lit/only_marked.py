"""A format of lit's tests; a module of its own, since lit sends it to its workers."""

import re
from pathlib import Path

import lit.formats
import lit.Test


class OnlyMarked(lit.formats.ShTest):
    """Leaves out the tests that do not require `mark`."""

    def __init__(self, mark):
        super().__init__(execute_external=True)
        self.mark = mark

    def execute(self, test, lit_config):
        text = Path(test.getSourcePath()).read_text(errors="replace")
        if re.search(rf"REQUIRES:.*\b{self.mark}\b", text):
            return super().execute(test, lit_config)
        return lit.Test.Result(lit.Test.UNSUPPORTED, f"not marked as {self.mark}")
