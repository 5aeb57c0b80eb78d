"""Parts of PyTorch on a card that need no torch: prices of operations, the
caching allocator."""

import time

import pytest
from gpu_estimate.pytorch import fusion, prices
from gpu_estimate.pytorch.allocator import (MIB, CachingAllocator, OutOfMemory,
                                            segment_bytes)
from gpu_estimate.pytorch.prices import Flags, TensorInfo, price

BF16 = "bfloat16"


def sizes(kernel):
    return dict(kernel.sizes)


def one(op, args, kwargs=None, outs=(), **more):
    found = price(op, args, kwargs or {}, outs, **more)
    assert found is not None and len(found) == 1, found
    return found[0]


def test_products():
    a, b = TensorInfo((128, 64), BF16), TensorInfo((64, 32), BF16)
    kernel = one("mm", (a, b), outs=[TensorInfo((128, 32), BF16)])
    assert sizes(kernel) == {"m": 128, "n": 32, "k": 64, "batch": 1}
    assert (kernel.operands, kernel.results) == ("bf16", "bf16")
    f = TensorInfo((16, 16))
    assert one("mm", (f, f), outs=[f]).compute == "f32"
    assert one("mm", (f, f), outs=[f],
               flags=Flags(matmul_tf32=True)).compute == "tf32"
    batch = TensorInfo((8, 16, 4))
    kernel = one("bmm", (batch, TensorInfo((8, 4, 2))),
                 outs=[TensorInfo((8, 16, 2))])
    assert sizes(kernel)["batch"] == 8


def test_a_vector_of_biases_is_added_in_the_epilogue():
    a, b, out = TensorInfo((4, 8)), TensorInfo((8, 2)), TensorInfo((4, 2))
    assert len(price("addmm", (TensorInfo((2,)), a, b), {}, [out])) == 1
    assert len(price("addmm", (out, a, b), {}, [out])) == 2


def test_convolution_is_a_product_that_reads_its_image_once():
    image, weight = TensorInfo((2, 16, 32, 32)), TensorInfo((8, 16, 3, 3))
    out = TensorInfo((2, 8, 32, 32))
    args = (image, weight, None, (1, 1), (1, 1), (1, 1), False, (0, 0), 1)
    kernel = one("convolution", args, outs=[out])
    found = sizes(kernel)
    assert (found["m"], found["n"], found["k"]) == (2 * 32 * 32, 8, 16 * 9)
    assert found["distinct_a"] == image.numel
    assert kernel.compute == "tf32"  # cuDNN's default
    grads = price("convolution_backward",
                  (out, image, weight, None, (1, 1), (1, 1), (1, 1), False, (0, 0),
                   1, (True, True, False)), {}, [image, weight])
    # Each gradient has as many multiply-adds as the forward pass.
    macs = [sizes(k)["m"] * sizes(k)["n"] * sizes(k)["k"] for k in grads]
    assert macs == [2 * 32 * 32 * 8 * 16 * 9] * 2


def test_elementwise_operations_read_an_expanded_tensor_once():
    x = TensorInfo((64, 1024))
    row = TensorInfo((64, 1024), "float32", (0, 1))
    kernel = one("add", (x, row), outs=[x], is_pointwise=True)
    assert sizes(kernel)["read_bytes"] == x.bytes + 4 * 1024
    # A layout of its own takes the computation of offsets.
    same = one("add", (x, x), outs=[x], is_pointwise=True)
    assert sizes(kernel)["instructions"] > sizes(same)["instructions"]
    inplace = one("mul_", (x, 0.5), outs=[x])
    assert sizes(inplace)["read_bytes"] == sizes(inplace)["written_bytes"] == x.bytes


def test_nothing_costs_nothing():
    assert price("empty", ((4,),), {}, [TensorInfo((4,))]) == []
    none = TensorInfo((0, 4))
    assert price("add", (none, none), {}, [none], is_pointwise=True) == []
    assert price("mm", (none, TensorInfo((4, 2))), {}, [TensorInfo((0, 2))]) == []


def test_an_unknown_operation_has_no_price_but_a_pass():
    x = TensorInfo((10,))
    assert price("of_tomorrow", (x,), {}, [x]) is None
    kernel = prices.one_pass((x,), {}, [x], "of_tomorrow")
    assert sizes(kernel)["read_bytes"] == sizes(kernel)["written_bytes"] == 40


def test_attention_keeps_its_scores():
    q = TensorInfo((2, 8, 1024, 64), BF16)
    k = TensorInfo((2, 2, 512, 64), BF16)
    kernel = one("_scaled_dot_product_flash_attention", (q, k, k, 0.0, True),
                 outs=[q])
    found = sizes(kernel)
    assert (found["heads"], found["key_heads"]) == (16, 4)
    assert (found["queries"], found["keys"], found["causal"]) == (1024, 512, 1)


def test_lists_of_tensors_are_launched_in_chunks():
    assert prices.launches_of_lists([100] * 64, 2) == 1
    assert prices.launches_of_lists([100] * 65, 2) == 2
    # 320 blocks of 65536 elements.
    assert prices.launches_of_lists([320 * 65536], 2) == 1
    assert prices.launches_of_lists([321 * 65536], 2) == 2
    tensors = [TensorInfo((1000,))] * 65
    kernel = one("_foreach_add_", (tensors, tensors))
    assert kernel.count == 2
    assert sizes(kernel)["written_bytes"] * 2 == 65 * 4000


def test_sort_passes_over_long_rows():
    short = price("sort", (TensorInfo((64, 128)), -1), {},
                  [TensorInfo((64, 128)), TensorInfo((64, 128), "int64")])
    assert len(short) == 1
    x = TensorInfo((1 << 20,))
    long = price("sort", (x, -1), {}, [x, TensorInfo((1 << 20,), "int64")])
    # A digit of 8 bits of the key in each pass.
    assert [k.count for k in long] == [1, 4]


def test_segments():
    cache = CachingAllocator(1 << 30)
    small = cache.allocate(1)
    assert small.size == 512
    assert cache.reserved_bytes.current == 2 * MIB
    cache.allocate(MIB)  # fits behind it
    assert cache.reserved_bytes.current == 2 * MIB
    cache.allocate(MIB)
    assert cache.reserved_bytes.current == 4 * MIB
    cache.allocate(5 * MIB)
    assert cache.reserved_bytes.current == 24 * MIB
    cache.allocate(33 * MIB + 1)
    assert cache.reserved_bytes.current == (24 + 34) * MIB
    assert segment_bytes(33 * MIB + 512) == 34 * MIB


def test_the_smallest_block_that_fits_is_taken_and_split():
    cache = CachingAllocator(1 << 30)
    large, small = cache.allocate(40 * MIB), cache.allocate(12 * MIB)
    first, second = large.address, small.address
    cache.free(large)
    cache.free(small)
    again = cache.allocate(11 * MIB)
    assert again.address == second and again.size == 12 * MIB  # 1 MiB stays
    cache.free(again)
    again = cache.allocate(10 * MIB)
    assert again.size == 10 * MIB
    assert cache.inactive_split_bytes.current == 2 * MIB
    assert cache.allocate(30 * MIB).address == first


def test_neighbours_join():
    cache = CachingAllocator(1 << 30)
    parts = [cache.allocate(5 * MIB) for _ in range(4)]
    assert cache.segments.current == 1
    for part in (parts[0], parts[2], parts[3], parts[1]):
        cache.free(part)
    assert cache.inactive_split_bytes.current == 0
    assert cache.allocate(20 * MIB).address == parts[0].address
    assert cache.segments.current == 1


def test_streams_have_blocks_of_their_own():
    cache = CachingAllocator(1 << 30)
    cache.free(cache.allocate(5 * MIB, 0))
    cache.allocate(5 * MIB, 1)
    assert cache.segments.current == 2


def test_cached_segments_are_given_back_before_memory_runs_out():
    heard = []
    cache = CachingAllocator(100 * MIB, on_malloc=lambda a, n: heard.append(n),
                             on_free=lambda a: heard.append("free"))
    cache.free(cache.allocate(60 * MIB))
    cache.allocate(80 * MIB)
    assert heard == [60 * MIB, "free", 80 * MIB] and cache.retries == 1


def test_out_of_memory_says_what_would_fit():
    cache = CachingAllocator(100 * MIB, "NVIDIA X")
    cache.allocate(90 * MIB)
    with pytest.raises(OutOfMemory, match="CUDA out of memory.*Tried to allocate "
                       "20.00 MiB.*NVIDIA X has 100.00 MiB.*What would fit: a card "
                       "with 110.00 MiB"):
        cache.allocate(20 * MIB)
    assert cache.stats()["num_ooms"] == 1
    assert cache.stats()["allocated_bytes.all.peak"] == 90 * MIB
    cache.allocate(10 * MIB)  # goes on


def call(kernel):
    """As CardDevice.launch() does."""
    import ctypes
    from gpu_estimate import runtime
    count = len(kernel.sizes)
    names = (ctypes.c_char_p * count)(*(name.encode() for name, _ in kernel.sizes))
    values = (ctypes.c_double * count)(*(float(v) for _, v in kernel.sizes))
    return runtime.library().gpu_estimate_library_call(
        kernel.name.encode(), None, kernel.operands.encode(),
        kernel.results.encode(), kernel.compute.encode(), count, names, values)


def test_kernels_of_operations_are_on_the_time_line():
    import gpu_estimate
    from gpu_estimate import runtime
    big = TensorInfo((8192, 8192), BF16)
    q = TensorInfo((4, 32, 4096, 128), BF16)
    image, weight = TensorInfo((64, 64, 56, 56), "float16"), TensorInfo(
        (64, 64, 3, 3), "float16")
    convolution = (image, weight, None, (1, 1), (1, 1), (1, 1), False, (0, 0), 1)
    with gpu_estimate.card("nvidia-h100-sxm", execute="none") as card:
        lib = runtime.library()
        with card.holding():
            before = card.now_ns()
            lib.gpu_estimate_device_malloc(1 << 40, 1 << 30)
            lib.gpu_estimate_host_work(5000.0)
            assert call(one("mm", (big, big), outs=[big])) == 0
            assert call(one("_scaled_dot_product_flash_attention", (q, q, q),
                            outs=[q])) == 0
            assert call(one("convolution", convolution, outs=[image])) == 0
            assert call(one("add", (big, big), outs=[big], is_pointwise=True)) == 0
            lib.gpu_estimate_copy(1, 1 << 20, 0, 0, None)
            lib.gpu_estimate_notice(b"something to know")
            assert lib.gpu_estimate_launch_count() == 4
            card.synchronize()
            assert card.now_ns() - before > 5000
    times = {launch.name: launch.time_ms for launch in card.report.launches}
    # Multiply-adds at the 494.7 T/s, and bytes at the 3.35 TB/s, of the data sheet.
    assert times["cublasGemmEx"] > 8192 ** 3 / 494.7e12 * 1e3
    assert times["cublasGemmEx"] < 2 * 8192 ** 3 / 494.7e12 * 1e3
    attention = 128 * 4096 ** 2 * 256 / 494.7e12 * 1e3
    assert attention < times["flash_attention_forward"] < 4 * attention
    assert times["cudnnConvolutionForward"] > \
        64 * 56 * 56 * 64 * 64 * 9 / 494.7e12 * 1e3
    passed = times["at::native::vectorized_elementwise_kernel<add>"]
    assert passed > 3 * big.bytes / 3.35e12 * 1e3
    assert "something to know" in card.report.notices
    assert card.report.totals.copy_ms > 0


def test_a_graph_is_one_call_of_the_host():
    import gpu_estimate
    from gpu_estimate import runtime
    small = TensorInfo((64,))
    kernel = one("add", (small, small), outs=[small], is_pointwise=True)

    def took(in_graph):
        with gpu_estimate.card("nvidia-h100-sxm", execute="none") as card:
            lib = runtime.library()
            with card.holding():
                before = card.now_ns()
                if in_graph:
                    assert lib.gpu_estimate_graph_launch(1, 1, None) == 0
                for _ in range(50):
                    assert call(kernel) == 0
                if in_graph:
                    assert lib.gpu_estimate_graph_launch(1, 0, None) == 0
                card.synchronize()
                return card.now_ns() - before

    assert took(in_graph=True) < 0.7 * took(in_graph=False)


def test_recurrent_layers():
    """Ten steps of a batch of four, two layers of an LSTM in one direction."""
    x = TensorInfo((10, 4, 8))
    weights = [TensorInfo((64, 8)), TensorInfo((64, 16)),
               TensorInfo((64, 16)), TensorInfo((64, 16))]
    found = price("_cudnn_rnn", (x, weights), {}, ())
    assert [kernel.count for kernel in found] == [1, 10, 10] * 2
    assert sizes(found[0]) == {"m": 40, "n": 64, "k": 8, "batch": 1}
    assert sizes(found[1]) == {"m": 4, "n": 64, "k": 16, "batch": 1}
    assert found[0].compute == "tf32"
    back = price("_cudnn_rnn_backward", (x, weights), {}, ())
    assert sum(kernel.count for kernel in back) == 2 * (10 + 10 + 3)
    # weight_hr of a projection is no layer of its own.
    projected = [TensorInfo((64, 8)), TensorInfo((64, 5)), TensorInfo((5, 16))]
    assert len(price("_cudnn_rnn", (x, projected), {}, ())) == 3
    cell = price("_thnn_fused_cell", (TensorInfo((1, 4, 8)), weights[:2]), {}, ())
    assert len(cell) == 3


def test_sparse_products():
    sparse = TensorInfo((1000, 1000), nonzeros=5000)
    assert sparse.bytes == 5000 * (4 + 16)
    dense, out = TensorInfo((1000, 64)), TensorInfo((1000, 64))
    kernel = one("mm", (sparse, dense), outs=[out])
    assert kernel.name == "at::cusparseSpMM"
    assert sizes(kernel)["read_bytes"] == sparse.bytes + dense.bytes
    large = TensorInfo((1 << 20, 64))
    big = one("mm", (TensorInfo((1000, 1 << 20), nonzeros=5000), large), outs=[out])
    assert sizes(big)["read_bytes"] == 5000 * 20 + 5000 * 64 * 4


def test_transforms_are_passes():
    x, out = TensorInfo((16, 1 << 20)), TensorInfo((16, (1 << 19) + 1), "complex64")
    kernel = one("_fft_r2c", (x, [1], 0, True), outs=[out])
    assert kernel.count == 2 and sizes(kernel)["read_bytes"] == x.bytes


def test_masks_as_indices():
    x, mask, number = TensorInfo((64, 64)), TensorInfo((64, 64), "bool"), TensorInfo(())
    kernel = one("index_put_", (x, [mask], number), outs=[x])
    assert "masked_fill" in kernel.name
    found = price("index", (x, [mask]), {}, (TensorInfo((100,)),))
    assert [kernel.name for kernel in found][:2] == [
        "at::cub::DeviceReduceKernel", "at::cub::DeviceSelectSweepKernel"]
    values = TensorInfo((100,))
    assert len(price("index_put_", (x, [mask], values), {}, (x,))) == 3


# --- torch.compile: which operations become one kernel.

def node(op, elements, rows, reads, writes, cheap=None):
    """Tensors are numbers; each of `reads` and `writes` has 4 bytes an element."""
    space = None if elements is None else fusion.Space(elements, rows)
    return fusion.Node(None, [op], space, [], {k: 4.0 * n for k, n in reads.items()},
                       {k: 4.0 * n for k, n in writes.items()},
                       1.0 * (elements or 0),
                       space is not None and rows is None if cheap is None else cheap)


def names(groups):
    return [g.names for g in groups]


def test_elementwise_chains_are_one_kernel():
    n = 1 << 20
    groups = fusion.fuse([node("mul", n, None, {1: n, 2: n}, {3: n}),
                          node("add", n, None, {3: n, 4: n}, {5: n}),
                          node("gelu", n, None, {5: n}, {6: n})])
    assert names(groups) == [["mul", "add", "gelu"]]
    assert groups[0].reads == {1: 4.0 * n, 2: 4.0 * n, 4: 4.0 * n}
    assert fusion.needed_bytes(groups, {6}) == [4.0 * n]
    assert fusion.needed_bytes(groups, {3, 6}) == [8.0 * n]  # kept for backward


def test_two_chains_that_meet_are_one_kernel():
    n = 4096
    groups = fusion.fuse([node("gelu", n, None, {1: n}, {2: n}),
                          node("sigmoid", n, None, {3: n}, {4: n}),
                          node("mul", n, None, {2: n, 4: n}, {5: n})])
    assert names(groups) == [["gelu", "sigmoid", "mul"]]


def test_a_softmax_takes_what_is_around_it():
    rows, n = 64, 64 * 512
    groups = fusion.fuse([node("mul", n, None, {1: n}, {2: n}),
                          node("_softmax", n, rows, {2: n}, {3: n}),
                          node("_to_copy", n, None, {3: n}, {4: n})])
    assert names(groups) == [["mul", "_softmax", "_to_copy"]]
    assert fusion.kernel_name(groups[0]) == "triton_red_fused__softmax__to_copy_mul"


def test_products_stay_apart_and_in_order():
    n = 4096
    groups = fusion.fuse([node("add", n, None, {1: n}, {2: n}),
                          node("mm", None, None, {2: n, 3: n}, {4: n}),
                          node("relu", n, None, {4: n}, {5: n}),
                          node("neg", n, None, {2: n}, {6: n}),
                          node("mm", None, None, {5: n, 3: n}, {7: n})])
    assert names(groups) == [["add"], ["mm"], ["relu"], ["neg"], ["mm"]] or \
        names(groups) == [["add", "neg"], ["mm"], ["relu"], ["mm"]]


def test_reductions_of_other_rows_stay_apart():
    n = 1 << 16
    groups = fusion.fuse([node("sum", n, 256, {1: n}, {2: 256}),
                          node("sum", n, 16, {1: n}, {3: 16})])
    assert len(groups) == 2


def test_small_operands_are_computed_where_they_are_read():
    n, small = 1 << 20, 1024
    groups = fusion.fuse([node("exp", small, None, {1: small}, {2: small}),
                          node("add", n, None, {2: small, 3: n}, {4: n})])
    assert names(groups) == [["exp", "add"]]
    assert groups[0].instructions == n + n  # exp is computed n times


def test_a_kernel_between_keeps_two_apart():
    n = 4096
    groups = fusion.fuse([node("relu", n, None, {1: n}, {2: n}),
                          node("mm", None, None, {2: n}, {3: n}),
                          node("add", n, None, {2: n, 3: n}, {4: n})])
    assert names(groups) == [["relu"], ["mm"], ["add"]]


def test_what_is_kept_for_the_backward_pass_may_be_computed_again():
    n, rows = 1 << 16, 256
    half = node("_softmax", n, rows, {1: n // 2}, {2: n})  # of half precision
    product = node("mm", None, None, {2: n}, {3: n})
    assert fusion.recomputed([half], {2}) == {2: 2.0 * n}
    assert fusion.recomputed([half], set()) == {}  # the program has it
    assert fusion.recomputed([half, product], {2}) == {}  # it is written anyway
    sum_ = node("add", n, None, {1: n, 4: n}, {2: n})
    assert fusion.recomputed([sum_], {2}) == {}  # twice as much would be kept


def test_reductions_to_few_rows_are_split():
    n = 1 << 24
    node_ = node("sum", n, 1, {1: n}, {2: 1})
    kernels = fusion.kernels_of(node_, 4.0, multiprocessors=100)
    assert len(kernels) == 2
    assert sizes(kernels[0])["read_bytes"] == 4.0 * n


def test_enough_rows_are_not_split():
    n = 1 << 24
    node_ = node("sum", n, 200, {1: n}, {2: 200})
    assert len(fusion.kernels_of(node_, 800.0, multiprocessors=100)) == 1


def test_a_kernel_has_at_most_64_operations():
    n = 4096
    groups = fusion.fuse([node("add", n, None, {k: n}, {k + 1: n})
                          for k in range(100)])
    assert [len(g.names) for g in groups] == [64, 36]


def test_long_rows_are_read_again():
    rows, n = 16, 1 << 22
    norm = node("cudnn_batch_norm", n, rows, {1: n}, {2: n})
    assert sizes(fusion.kernels_of(norm, 4.0 * n, 8)[0])["read_bytes"] == 8.0 * n
    total = node("sum", n, rows, {1: n}, {2: rows})
    assert sizes(fusion.kernels_of(total, 64.0, 8)[0])["read_bytes"] == 4.0 * n


def test_the_work_grows_with_the_number_of_operations():
    def seconds(count):
        n = 4096
        nodes = [node("add" if k % 3 else "mm", n if k % 3 else None, None,
                      {k: n, max(0, k - 7): n}, {k + 1: n}) for k in range(count)]
        begin = time.process_time()
        fusion.fuse(nodes)
        return time.process_time() - begin

    seconds(1000)
    assert seconds(20000) < 10 * max(1e-3, seconds(4000))
