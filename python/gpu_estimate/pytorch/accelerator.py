"""torch.accelerator (torch 2.6 and newer) of the modelled card: the same answers as
torch.cuda's. Programs that ask it alone would otherwise run on the CPU in silence."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Tuple

import torch

# The name in torch.accelerator or torch.accelerator.memory: that in torch.cuda.
_SAME = {
    "device_count": "device_count", "is_available": "is_available",
    "current_device_index": "current_device", "current_device_idx": "current_device",
    "set_device_index": "set_device", "set_device_idx": "set_device",
    "current_stream": "current_stream", "set_stream": "set_stream",
    "synchronize": "synchronize", "device_index": "device",
    "empty_cache": "empty_cache", "memory_stats": "memory_stats",
    "memory_allocated": "memory_allocated",
    "max_memory_allocated": "max_memory_allocated",
    "memory_reserved": "memory_reserved",
    "max_memory_reserved": "max_memory_reserved",
    "reset_peak_memory_stats": "reset_peak_memory_stats",
    "reset_accumulated_memory_stats": "reset_accumulated_memory_stats",
    "get_memory_info": "mem_get_info",
}


def replacements(of_cuda: Dict[str, Callable[..., Any]]
                 ) -> List[Tuple[Any, str, Any]]:
    """Places, names and functions. of_cuda: those of torch.cuda."""
    accelerator = getattr(torch, "accelerator", None)
    if accelerator is None:
        return []
    values = {name: of_cuda[other] for name, other in _SAME.items()}
    values["current_accelerator"] = lambda check_available=False: \
        torch.device("cuda")
    places = [accelerator, getattr(accelerator, "memory", accelerator)]
    return [(place, name, value) for name, value in values.items()
            for place in places if hasattr(place, name)]
