"""torch.profiler while a card is open: without CUPTI, of which there is none."""

from __future__ import annotations

import contextlib
from typing import Any, Iterator

from torch.autograd import profiler as of_autograd
from torch.profiler import ProfilerActivity
from torch.profiler import profiler as of_kineto

_NOTICE = ("torch.profiler shows what this machine's CPU does, no kernels of the card: "
           "their times are those of this report and of its trace")


@contextlib.contextmanager
def installed(owner: Any) -> Iterator[None]:
    kineto, autograd = of_kineto._KinetoProfile, of_autograd.profile
    originals = kineto.__init__, autograd.__init__

    def init_kineto(self: Any, *args: Any, **kwargs: Any) -> None:
        owner.notice(_NOTICE)
        wanted = set(kwargs.get("activities") or ())
        kwargs["activities"] = wanted - {ProfilerActivity.CUDA} or {
            ProfilerActivity.CPU}
        originals[0](self, *args, **kwargs)

    def init_autograd(self: Any, *args: Any, **kwargs: Any) -> None:
        for word, without in (("use_cuda", False), ("use_device", None)):
            if kwargs.get(word):
                owner.notice(_NOTICE)
                kwargs[word] = without
        originals[1](self, *args, **kwargs)

    kineto.__init__ = init_kineto  # type: ignore[method-assign]
    autograd.__init__ = init_autograd  # type: ignore[method-assign]
    try:
        yield
    finally:
        kineto.__init__, autograd.__init__ = originals  # type: ignore[method-assign]
