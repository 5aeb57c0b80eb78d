"""torch's caching allocator on a card that is a file: which blocks it hands
out, what it asks cudaMalloc for, and when it runs out of memory.

The rules and sizes are those of c10/cuda/CUDACachingAllocator.cpp (torch 2.4 to
2.10, default settings): sizes are rounded to 512 bytes; requests up to 1 MiB
come from segments of 2 MiB, others below 10 MiB from segments of 20 MiB, larger
ones from a segment of their own, a multiple of 2 MiB. The smallest free block of
the stream that is large enough is taken, and split where enough remains. Needs no torch.

    >>> cache = CachingAllocator(1 << 30)
    >>> block = cache.allocate(3 << 20)
    >>> cache.allocated_bytes.current >> 20, cache.reserved_bytes.current >> 20
    (3, 20)
    >>> cache.free(block)
    >>> cache.allocated_bytes.current, cache.reserved_bytes.current >> 20
    (0, 20)
"""

from __future__ import annotations

import bisect
from dataclasses import dataclass, field
from typing import Callable, Dict, List, Optional, Tuple

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30

MIN_BLOCK = 512
SMALL_SIZE = MIB  # the largest request of the small pool
SMALL_SEGMENT = 2 * MIB
LARGE_SEGMENT = 20 * MIB
MIN_LARGE_ALLOCATION = 10 * MIB
ROUND_LARGE = 2 * MIB


def rounded(size: int) -> int:
    """Bytes of the block for a request.

    >>> rounded(1), rounded(513)
    (512, 1024)
    """
    return max(MIN_BLOCK, (size + MIN_BLOCK - 1) // MIN_BLOCK * MIN_BLOCK)


def segment_bytes(size: int) -> int:
    """What cudaMalloc is asked for.

    >>> [segment_bytes(n) // MIB for n in (MIB, 2 * MIB, 10 * MIB, 11 * MIB)]
    [2, 20, 10, 12]
    """
    if size <= SMALL_SIZE:
        return SMALL_SEGMENT
    if size < MIN_LARGE_ALLOCATION:
        return LARGE_SEGMENT
    return (size + ROUND_LARGE - 1) // ROUND_LARGE * ROUND_LARGE


class OutOfMemory(MemoryError):
    """The card has no room for a block."""


@dataclass
class Statistic:
    """One number of torch.cuda.memory_stats()."""

    current: int = 0
    peak: int = 0
    allocated: int = 0  # sum of all increases
    freed: int = 0

    def add(self, amount: int) -> None:
        self.current += amount
        self.peak = max(self.peak, self.current)
        if amount > 0:
            self.allocated += amount
        else:
            self.freed -= amount


@dataclass(eq=False)
class Block:
    """A part of a segment."""

    address: int
    size: int
    requested: int = 0
    is_small: bool = False
    stream: int = 0
    is_free: bool = False
    before: Optional["Block"] = None  # in the same segment
    behind: Optional["Block"] = None

    @property
    def is_split(self) -> bool:
        return self.before is not None or self.behind is not None


@dataclass
class _Pool:
    """Free blocks by (stream, size, address), as std::set orders them."""

    keys: List[Tuple[int, int, int]] = field(default_factory=list)
    blocks: Dict[Tuple[int, int, int], Block] = field(default_factory=dict)

    @staticmethod
    def _key(block: Block) -> Tuple[int, int, int]:
        return block.stream, block.size, block.address

    def add(self, block: Block) -> None:
        key = self._key(block)
        bisect.insort(self.keys, key)
        self.blocks[key] = block

    def remove(self, block: Block) -> None:
        key = self._key(block)
        del self.keys[bisect.bisect_left(self.keys, key)]
        del self.blocks[key]

    def best(self, stream: int, size: int) -> Optional[Block]:
        place = bisect.bisect_left(self.keys, (stream, size, 0))
        if place == len(self.keys) or self.keys[place][0] != stream:
            return None
        return self.blocks[self.keys[place]]


# Segments of pools that nobody uses lie far apart: addresses are names here.
_FIRST_ADDRESS = 0x7F00_0000_0000


class CachingAllocator:
    """The allocator of one device of `capacity` bytes, what the context takes
    not among them. `on_malloc(address, bytes)` and `on_free(address)` hear of
    its calls of cudaMalloc and cudaFree."""

    def __init__(self, capacity: int, name: str = "the card",
                 on_malloc: Optional[Callable[[int, int], None]] = None,
                 on_free: Optional[Callable[[int], None]] = None) -> None:
        self.capacity, self.name = capacity, name
        self._on_malloc, self._on_free = on_malloc, on_free
        self._pools = {True: _Pool(), False: _Pool()}
        self._next = _FIRST_ADDRESS
        self.allocated_bytes, self.reserved_bytes = Statistic(), Statistic()
        self.requested_bytes, self.allocations = Statistic(), Statistic()
        self.segments, self.inactive_split_bytes = Statistic(), Statistic()
        self.retries = self.out_of_memory_errors = 0
        self.fraction = 1.0  # torch.cuda.set_per_process_memory_fraction()

    def allocate(self, size: int, stream: int = 0) -> Optional[Block]:
        """None for nothing; OutOfMemory with what is in use and what would
        fit."""
        if size <= 0:
            return None
        needed = rounded(size)
        is_small = needed <= SMALL_SIZE
        pool = self._pools[is_small]
        block = pool.best(stream, needed)
        if block is None:
            block = self._segment(needed, is_small, stream)
        else:
            pool.remove(block)
            block.is_free = False
            if block.is_split:
                self.inactive_split_bytes.add(-block.size)
        self._split(block, needed)
        block.requested = size
        self.allocated_bytes.add(block.size)
        self.requested_bytes.add(size)
        self.allocations.add(1)
        return block

    def free(self, block: Optional[Block]) -> None:
        if block is None:
            return
        self.allocated_bytes.add(-block.size)
        self.requested_bytes.add(-block.requested)
        self.allocations.add(-1)
        pool = self._pools[block.is_small]
        for other in (block.before, block.behind):
            if other is None or not other.is_free:
                continue
            pool.remove(other)
            self.inactive_split_bytes.add(-other.size)
            if other is block.before:
                block.address, block.before = other.address, other.before
                if block.before:
                    block.before.behind = block
            else:
                block.behind = other.behind
                if block.behind:
                    block.behind.before = block
            block.size += other.size
        block.is_free, block.requested = True, 0
        if block.is_split:
            self.inactive_split_bytes.add(block.size)
        pool.add(block)

    def empty_cache(self) -> None:
        """Gives back the segments of which nothing is in use."""
        for pool in self._pools.values():
            for block in list(pool.blocks.values()):
                if block.is_split:
                    continue
                pool.remove(block)
                self.reserved_bytes.add(-block.size)
                self.segments.add(-1)
                if self._on_free:
                    self._on_free(block.address)

    def reset_peaks(self) -> None:
        for statistic in self._statistics().values():
            statistic.peak = statistic.current

    def stats(self) -> Dict[str, int]:
        """The keys of torch.cuda.memory_stats() that have a meaning here."""
        found: Dict[str, int] = {}
        for name, statistic in self._statistics().items():
            for part in ("current", "peak", "allocated", "freed"):
                found[f"{name}.all.{part}"] = getattr(statistic, part)
        for part in ("current", "peak", "allocated", "freed"):
            found[f"active_bytes.all.{part}"] = found[
                f"allocated_bytes.all.{part}"]
            found[f"active.all.{part}"] = found[f"allocation.all.{part}"]
        found["num_alloc_retries"] = self.retries
        found["num_ooms"] = self.out_of_memory_errors
        return found

    def _statistics(self) -> Dict[str, Statistic]:
        return {"allocated_bytes": self.allocated_bytes,
                "reserved_bytes": self.reserved_bytes,
                "requested_bytes": self.requested_bytes,
                "allocation": self.allocations, "segment": self.segments,
                "inactive_split_bytes": self.inactive_split_bytes}

    def _segment(self, needed: int, is_small: bool, stream: int) -> Block:
        size = segment_bytes(needed)
        limit = int(self.capacity * self.fraction)
        if self.reserved_bytes.current + size > limit:
            self.retries += 1
            self.empty_cache()
        if self.reserved_bytes.current + size > limit:
            self.out_of_memory_errors += 1
            raise OutOfMemory(self._message(needed, limit))
        block = Block(self._next, size, is_small=is_small, stream=stream)
        self._next += (size + ROUND_LARGE - 1) // ROUND_LARGE * ROUND_LARGE
        self.reserved_bytes.add(size)
        self.segments.add(1)
        if self._on_malloc:
            self._on_malloc(block.address, size)
        return block

    def _split(self, block: Block, needed: int) -> None:
        rest = block.size - needed
        if rest < MIN_BLOCK if block.is_small else rest <= SMALL_SIZE:
            return
        tail = Block(block.address + needed, rest, is_small=block.is_small,
                     stream=block.stream, is_free=True, before=block,
                     behind=block.behind)
        if tail.behind:
            tail.behind.before = tail
        block.behind, block.size = tail, needed
        self._pools[block.is_small].add(tail)
        self.inactive_split_bytes.add(tail.size)

    def _message(self, needed: int, limit: int) -> str:
        used = self.allocated_bytes.current
        idle = self.reserved_bytes.current - used
        free = limit - self.reserved_bytes.current
        return (f"CUDA out of memory. Tried to allocate {in_words(needed)}. "
                f"{self.name} has {in_words(limit)} for tensors, of which "
                f"{in_words(free)} is free; {in_words(used)} is allocated by "
                f"PyTorch, and {in_words(idle)} is reserved by PyTorch but "
                f"unallocated. What would fit: a card with "
                f"{in_words(used + needed)} for tensors, or tensors that are "
                f"{in_words(needed - max(free, 0))} smaller together")


def in_words(size: int) -> str:
    """As torch prints sizes.

    >>> in_words(3 << 20), in_words(5 << 30), in_words(100)
    ('3.00 MiB', '5.00 GiB', '100 bytes')
    """
    for unit, name in ((GIB, "GiB"), (MIB, "MiB"), (KIB, "KiB")):
        if size >= unit:
            return f"{size / unit:.2f} {name}"
    return f"{size} bytes"
