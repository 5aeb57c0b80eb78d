"""Which operations of a compiled function become one kernel, by the rules of
Inductor's scheduler (torch/_inductor/scheduler.py of PyTorch 2.4 to 2.15, `can_fuse`
of the Triton back end):

- An elementwise operation joins a kernel of as many elements, or of as many rows,
  that makes one of its operands or reads one of them.
- A reduction joins a kernel of as many elements; of two reductions in a kernel the
  rows are the same.
- An elementwise operation whose result only larger ones read is computed again
  inside each of them.
- Products, convolutions, attention, sorts and scattered additions are kernels of
  their own.

A fused kernel reads each tensor from outside once, and writes what a later kernel
reads or the program still holds. Needs no torch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence, Set

from . import prices
from .prices import Kernel, TensorInfo

# A row of more bytes does not stay in L1 and registers of a multiprocessor, so
# that a second loop over it reads it again.
_ROW_BYTES = 64 << 10
# torch/_inductor/runtime/hints.py and codegen/triton: a reduction of more elements
# is split over thread blocks, and a second kernel joins the parts, if there are
# fewer rows than fill the card.
_SPLIT_ELEMENTS, _WARPS_OF_SM = 8192, 64

_MOVES = {"clone", "contiguous", "copy", "_to_copy", "fill", "zero", "zeros", "ones",
          "full", "zeros_like", "ones_like", "full_like", "new_zeros", "new_ones",
          "new_full", "arange", "linspace", "eye", "scalar_tensor", "cat", "stack",
          "repeat", "flip", "roll", "embedding", "index_select", "index", "gather",
          "_unsafe_index", "native_dropout", "rand", "rand_like", "randn",
          "randn_like", "bernoulli", "constant_pad_nd", "tril", "triu"}
_REDUCTIONS = {"sum", "mean", "amax", "amin", "prod", "all", "any", "argmax", "argmin",
               "var", "std", "var_mean", "std_mean", "norm", "linalg_vector_norm",
               "logsumexp"}
_SOFTMAX = {"_softmax": 1, "_log_softmax": 1, "_safe_softmax": 1,
            "_softmax_backward_data": 2, "_log_softmax_backward_data": 2}
_BATCH_NORMS = {"cudnn_batch_norm", "native_batch_norm", "_native_batch_norm_legit",
                "_batch_norm_with_update", "cudnn_batch_norm_backward",
                "native_batch_norm_backward"}
_GROUP_NORMS = {"native_layer_norm", "_fused_rms_norm", "native_group_norm"}
# Elementwise functions with a kernel of their own in eager PyTorch alone.
_LOSSES = {"mse_loss", "smooth_l1_loss", "huber_loss", "binary_cross_entropy"}


@dataclass
class Space:
    """What a kernel goes over."""

    elements: int
    rows: Optional[int] = None  # of a reduction; None: elementwise


@dataclass
class Node:
    """One operation, or several in one kernel."""

    operation: Any
    names: List[str]
    space: Optional[Space]  # None: kernels of its own
    kernels: List[Any]  # as prepared, if space is None
    reads: Dict[int, float]  # bytes from outside, by the memory
    writes: Dict[int, float]
    instructions: float
    is_cheap: bool = False  # elementwise: may be computed inside what reads it
    place: int = 0


def space_of(op: str, args: Sequence[Any], outs: Sequence[TensorInfo],
             is_pointwise: bool) -> Optional[Space]:
    """The space of an operation that Inductor fuses; None for others. `op` is
    named without its overload.

    >>> x = TensorInfo((64, 512))
    >>> space_of("gelu", (x,), (x,), True)
    Space(elements=32768, rows=None)
    >>> space_of("_softmax", (x, -1), (x,), False)
    Space(elements=32768, rows=64)
    >>> space_of("mm", (x, x), (x,), False) is None
    True
    """
    op = op[:-1] if op.endswith("_") and not op.endswith("__") else op
    tensors = list(prices._tensors(args))
    if op in _LOSSES and outs and tensors and outs[0].numel < tensors[0].numel:
        return Space(tensors[0].numel, outs[0].numel)
    if op in _REDUCTIONS and tensors and outs:
        if len(tensors) == 2:  # torch.max(a, b)
            return Space(outs[0].numel)
        return Space(tensors[0].numel, outs[0].numel)
    if op in _SOFTMAX and tensors:
        axis = args[_SOFTMAX[op]] if len(args) > _SOFTMAX[op] else -1
        row = tensors[0].shape[axis] if tensors[0].shape else 1
        return Space(tensors[0].numel, tensors[0].numel // max(1, row))
    if op in _GROUP_NORMS and tensors and len(outs) > 1:
        return Space(tensors[0].numel, outs[1].numel)
    if op in _BATCH_NORMS and tensors and len(tensors[0].shape) > 1:
        return Space(tensors[0].numel, tensors[0].shape[1])
    if op in ("nll_loss_forward",) and tensors:
        return Space(tensors[0].shape[0] if tensors[0].shape else 1, 1)
    if is_pointwise or op in _MOVES or op in prices._INSTRUCTIONS:
        return Space(max([t.numel for t in outs] or [t.numel for t in tensors],
                          default=0))
    return None


def _fits(space: Space, other: Space) -> bool:
    """May both be in one kernel?"""
    if space.rows is not None and other.rows is not None:
        return space.elements == other.elements and space.rows == other.rows
    if space.elements == other.elements:
        return True
    # Behind a reduction, with an element for each row.
    return space.elements == other.rows or other.elements == space.rows


def fuse(nodes: Sequence[Node]) -> List[Node]:
    """The kernels of these operations, in the order of their launches."""
    groups: List[Node] = []
    for node in nodes:
        touched = set(node.reads) | set(node.writes)
        makers = [g for g in groups if not touched.isdisjoint(g.writes)]
        if node.space is None or node.space.elements == 0:
            groups.append(node)
            continue
        home = _home(node, groups, makers)
        if home is None:
            home = node
            groups.append(node)
        else:
            _join(home, node)
        for maker in reversed(makers):
            if maker is not home and maker.space is not None and \
                    _joins_reader(maker, home, groups):
                groups.remove(maker)
                _join(home, maker, is_before=True)
    return groups


def _home(node: Node, groups: List[Node], makers: List[Node]) -> Optional[Node]:
    """The kernel that the operation joins: the latest one that fits, makes or reads
    one of its operands, and comes behind the others that make them."""
    last = max((groups.index(m) for m in makers), default=-1)
    for place in range(len(groups) - 1, -1, -1):
        group = groups[place]
        others = [m for m in makers if m is not group]
        if others and place < max(groups.index(m) for m in others):
            return None
        if group.space is None or not _fits(group.space, node.space):
            continue
        if group in makers or (place > last and
                               not set(group.reads).isdisjoint(node.reads)):
            return group
    return None


def _joins_reader(maker: Node, reader: Node, groups: List[Node]) -> bool:
    """Does the kernel `maker`, which stands before `reader`, become part of it? No
    kernel between them may read what it makes."""
    first, last = groups.index(maker), groups.index(reader)
    between = groups[first + 1:last]
    if any(not set(maker.writes).isdisjoint(g.reads) or
           not set(maker.writes).isdisjoint(g.writes) or
           not set(maker.reads).isdisjoint(g.writes) for g in between):
        return False
    if _fits(maker.space, reader.space):
        return True
    return maker.is_cheap and maker.space.elements < reader.space.elements


def _join(home: Node, node: Node, is_before: bool = False) -> None:
    first, second = (node, home) if is_before else (home, node)
    reads = dict(first.reads)
    for key, size in second.reads.items():
        if key not in first.writes:
            reads[key] = max(size, reads.get(key, 0))
    writes = dict(first.writes)
    for key, size in second.writes.items():
        writes[key] = max(size, writes.get(key, 0))
    instructions = first.instructions + second.instructions
    if node.space.elements < home.space.elements and node.is_cheap and \
            node.space.elements and node.space.elements != home.space.rows and \
            "cat" not in home.names:
        # Computed again for each element that reads it.
        instructions += node.instructions * (
            home.space.elements / node.space.elements - 1)
    home.names = first.names + second.names
    home.reads, home.writes, home.instructions = reads, writes, instructions
    home.is_cheap = home.is_cheap and node.is_cheap
    rows = home.space.rows if home.space.rows is not None else node.space.rows
    home.space = Space(max(home.space.elements, node.space.elements), rows)


def needed_bytes(node: Node, later: Sequence[Node], alive: Set[int]) -> float:
    """Bytes that the kernel writes: what later ones read, or the program holds."""
    return sum(size for key, size in node.writes.items()
               if key in alive or any(key in other.reads for other in later))


def kernel_name(node: Node) -> str:
    """As Inductor names its kernels: by what they do, and with the operations.

    >>> node = Node(None, ["add", "_softmax", "add"], Space(8, 2), [], {}, {}, 0)
    >>> kernel_name(node)
    'triton_red_fused__softmax_add'
    """
    kind = "poi" if node.space.rows is None else "red"
    names = sorted({name.rstrip("_") if not name.endswith("__") else name
                    for name in node.names})
    most = 4
    return f"triton_{kind}_fused_{'_'.join(names[:most])}" + \
        ("_etc" if len(names) > most else "")


def kernels_of(node: Node, written: float, multiprocessors: int) -> List[Kernel]:
    space, name = node.space, kernel_name(node)
    read = sum(node.reads.values())
    rows = space.rows
    if rows:
        row = space.elements // rows
        whole = {key: size for key, size in node.reads.items()
                 if size >= space.elements}
        makes_elements = any(size >= space.elements for size in node.writes.values())
        if makes_elements and sum(whole.values()) / rows > _ROW_BYTES:
            read += sum(whole.values())
        if row > _SPLIT_ELEMENTS and rows < multiprocessors * _WARPS_OF_SM:
            parts = multiprocessors * _WARPS_OF_SM
            bytes_of_parts = 4.0 * parts
            first = prices._pass(name, read, bytes_of_parts, node.instructions)
            return [first, prices._pass(name, bytes_of_parts, written, 2.0 * parts)]
    return [prices._pass(name, read, written, node.instructions)]
