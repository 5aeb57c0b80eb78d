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

# A row of more bytes is taken not to stay in L1 and the registers of a multiprocessor,
# so that a second loop over it reads it again. Assumed: a quarter of what they hold
# together since Volta (256 KiB and 96 KiB or more), for several thread blocks.
_ROW_BYTES = 64 << 10
# torch/_inductor/choices.py, reduction_split_factor: a reduction of more elements to
# fewer rows than two a multiprocessor is split over thread blocks, four a
# multiprocessor, and a second kernel joins the parts.
_SPLIT_ELEMENTS, _SPLIT_ROWS_OF_SM, _SPLIT_BLOCKS_OF_SM = 8192, 2, 4
# torch/_inductor/config.py, max_fusion_size: operations of a kernel.
_MAX_OPERATIONS = 64
# Arguments of a kernel of lists (config.py, combo_kernel_max_num_args).
_POINTERS = 250

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
_ROW_NORMS = {"native_layer_norm", "_fused_rms_norm", "native_group_norm"}
# Their tables are read where the indices say.
GATHERS = {"embedding", "index_select", "index", "gather", "_unsafe_index",
           "nll_loss_forward"}
# Gradients of norms of rows: a kernel for the input, and one for the weights, whose rows
# are the columns.
ROW_NORM_GRADIENTS = {"native_layer_norm_backward", "_fused_rms_norm_backward"}
# The argument of which only the shape counts.
UNREAD = {"nll_loss_backward": 1}
# Elements that go where indices say, one to a place.
SCATTERS = {"index_put", "_index_put_impl", "_unsafe_index_put", "index_copy"}
_ACCUMULATE = 3  # of index_put(), the argument
# Elementwise functions with a kernel of their own in eager PyTorch alone.
_LOSSES = {"mse_loss", "smooth_l1_loss", "huber_loss", "binary_cross_entropy"}


@dataclass
class Space:
    """The elements that a kernel computes or reduces, and how they form rows."""

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
    place: int = 0  # among the kernels, in the order of their launches


def space_of(op: str, args: Sequence[Any], outs: Sequence[TensorInfo],
             is_pointwise: bool, tunes: bool = False) -> Optional[Space]:
    """The space of an operation that Inductor fuses; None for others. `op` is
    named without its overload. tunes: with coordinate_descent_tuning Inductor writes
    products of a matrix and a vector as sums (decomposition.py, mm).

    >>> x = TensorInfo((64, 512))
    >>> space_of("gelu", (x,), (x,), True)
    Space(elements=32768, rows=None)
    >>> space_of("_softmax", (x, -1), (x,), False)
    Space(elements=32768, rows=64)
    >>> space_of("mm", (x, x), (x,), False) is None
    True
    >>> space_of("mm", (TensorInfo((1, 64)), x), (TensorInfo((1, 512)),), False, True)
    Space(elements=32768, rows=512)
    """
    op = prices._stem(op)
    tensors = list(prices._tensors(args))
    if op.startswith("_foreach_"):
        # Element by element of lists; one kernel has many tensors.
        lists = [part for part in args if isinstance(part, (list, tuple))]
        count = sum(t.numel for t in prices._tensors(lists[:1]))
        return Space(count, len(lists[0])) if "norm" in op else Space(count)
    if op == "mm" and tunes and outs and 1 in outs[0].shape:
        return Space(outs[0].numel * tensors[0].shape[1], outs[0].numel)
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
    if op in _ROW_NORMS and tensors and len(outs) > 1:
        return Space(tensors[0].numel, outs[1].numel)
    if op in _BATCH_NORMS and tensors and len(tensors[0].shape) > 1:
        return Space(tensors[0].numel, tensors[0].shape[1])
    if op == "nll_loss_backward" and outs:  # a comparison of the class with its target
        return Space(outs[0].numel)
    if op == "nll_loss_forward" and tensors:
        # An element of each row, and their sum.
        return Space(tensors[1].numel)
    if op in SCATTERS and len(tensors) > 2 and not (
            len(args) > _ACCUMULATE and args[_ACCUMULATE] is True):
        return Space(tensors[-1].numel)
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
    return _Scheduler().run(nodes)


class _Scheduler:
    """Kernels in the order of their launches. What is asked of them (who made a
    tensor, who reads it in between) is kept by tensor, so that the work grows with
    the number of operations."""

    # Kernels that an operation looks back on for a tensor that both read.
    _WINDOW = 16

    def __init__(self) -> None:
        self.kernels: List[Optional[Node]] = []  # by place; None: joined a later one
        self.makers: Dict[int, Node] = {}  # the last kernel that writes a tensor
        self.readers: Dict[int, List[int]] = {}  # places of kernels by tensor
        self.writers: Dict[int, List[int]] = {}

    def run(self, nodes: Sequence[Node]) -> List[Node]:
        for node in nodes:
            self._add(node)
        return [kernel for kernel in self.kernels if kernel is not None]

    def _add(self, node: Node) -> None:
        makers: List[Node] = []
        for key in (*node.reads, *node.writes):
            maker = self.makers.get(key)
            if maker is not None and maker not in makers:
                makers.append(maker)
        makers.sort(key=lambda maker: -maker.place)
        is_fused = node.space is not None and node.space.elements > 0
        home = self._home(node, makers) if is_fused else None
        if home is None:
            home = node
            node.place = len(self.kernels)
            self.kernels.append(node)
        reads, writes = list(node.reads), list(node.writes)
        if home is not node:
            _join(home, node)
        self._note(home, reads, writes)
        if not is_fused:
            return
        for maker in makers:
            if maker is not home and self._joins_reader(maker, home):
                self.kernels[maker.place] = None
                self._note(home, list(maker.reads), list(maker.writes))
                _join(home, maker, is_before=True)

    def _note(self, kernel: Node, reads: List[int], writes: List[int]) -> None:
        for key in reads:
            self.readers.setdefault(key, []).append(kernel.place)
        for key in writes:
            self.writers.setdefault(key, []).append(kernel.place)
            known = self.makers.get(key)
            if known is None or self.kernels[known.place] is not known or \
                    known.place <= kernel.place:
                self.makers[key] = kernel

    @staticmethod
    def _takes(kernel: Optional[Node], node: Node) -> bool:
        return kernel is not None and kernel.space is not None and \
            _fits(kernel.space, node.space) and len(kernel.names) < _MAX_OPERATIONS

    def _home(self, node: Node, makers: List[Node]) -> Optional[Node]:
        """The kernel that the operation joins: the latest one that fits, makes or reads
        one of its operands, and comes behind the others that make them."""
        last = makers[0].place if makers else -1
        first = max(last + 1, len(self.kernels) - self._WINDOW)
        for kernel in reversed(self.kernels[first:]):
            if self._takes(kernel, node) and \
                    not kernel.reads.keys().isdisjoint(node.reads):
                return kernel
        return makers[0] if makers and self._takes(makers[0], node) else None

    def _joins_reader(self, maker: Node, reader: Node) -> bool:
        """Does the kernel `maker`, which stands before `reader`, become part of it? No
        kernel between them may read what it makes."""
        if maker.space is None or maker.place >= reader.place:
            return False
        if not _fits(maker.space, reader.space) and not (
                maker.is_cheap and maker.space.elements < reader.space.elements):
            return False

        if len(maker.names) + len(reader.names) > _MAX_OPERATIONS:
            return False

        def is_between(places: Optional[List[int]]) -> bool:
            return any(maker.place < place < reader.place and
                       self.kernels[place] is not None for place in places or ())

        return not any(is_between(self.readers.get(key)) or
                       is_between(self.writers.get(key)) for key in maker.writes) and \
            not any(is_between(self.writers.get(key)) for key in maker.reads)


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


def needed_bytes(kernels: Sequence[Node], alive: Set[int]) -> List[float]:
    """Bytes that each kernel writes: what later ones read, or the program holds."""
    needed, found = set(alive), []
    for kernel in reversed(kernels):
        found.append(sum(size for key, size in kernel.writes.items()
                         if key in needed))
        needed |= kernel.reads.keys()
    return found[::-1]


def recomputed(kernels: Sequence[Node], saved: Set[int]) -> Dict[int, float]:
    """What is kept for the backward pass alone, and is computed there again instead: if
    what its kernel reads is no larger, that is kept (torch/_functorch/partitioners.py,
    min_cut_rematerialization_partition). The bytes that stand in its place."""
    readers: Dict[int, int] = {}
    for kernel in kernels:
        for key in kernel.reads:
            readers[key] = readers.get(key, 0) + 1
    found = {}
    for kernel in kernels:
        read = sum(kernel.reads.values())
        for key, size in kernel.writes.items():
            if key in saved and key not in readers and kernel.space is not None and \
                    read <= size:
                found[key] = read
    return found


def kernel_name(node: Node) -> str:
    """As Inductor names its kernels: by what they do, and with the operations.

    >>> node = Node(None, ["add", "_softmax", "add"], Space(8, 2), [], {}, {}, 0)
    >>> kernel_name(node)
    'triton_red_fused__softmax_add'
    """
    kind = "for" if any(op.startswith("_foreach_") for op in node.names) else \
        "poi" if node.space.rows is None else "red"
    names = sorted(set(map(prices._stem, node.names)))
    most = 4
    return f"triton_{kind}_fused_{'_'.join(names[:most])}" + \
        ("_etc" if len(names) > most else "")


def kernels_of(node: Node, written: float, multiprocessors: int) -> List[Kernel]:
    space, name = node.space, kernel_name(node)
    read = sum(node.reads.values())
    if any(op.startswith("_foreach_") for op in node.names):
        pointers = len(node.reads.keys() | node.writes.keys())
        return [prices._pass(name, read, written, node.instructions,
                             max(1, -(-pointers // _POINTERS)))]
    rows = space.rows
    if rows:
        row = space.elements // rows
        whole = {key: size for key, size in node.reads.items()
                 if size >= space.elements}
        makes_elements = any(size >= space.elements for size in node.writes.values())
        if makes_elements and sum(whole.values()) / rows > _ROW_BYTES:
            read += sum(whole.values())
        if row > _SPLIT_ELEMENTS and rows < multiprocessors * _SPLIT_ROWS_OF_SM:
            parts = multiprocessors * _SPLIT_BLOCKS_OF_SM
            bytes_of_parts = 4.0 * parts
            first = prices._pass(name, read, bytes_of_parts, node.instructions)
            return [first, prices._pass(name, bytes_of_parts, written, 2.0 * parts)]
    return [prices._pass(name, read, written, node.instructions)]
