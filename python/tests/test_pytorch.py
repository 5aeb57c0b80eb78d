"""PyTorch on a card that is a file: scripts/test-torch runs it (a large wheel)."""

import json
import os
import subprocess
import sys

import gpu_estimate
import pytest
from gpu_estimate import _installation

torch = pytest.importorskip("torch")

import torch.nn.functional as F  # noqa: E402
from torch import nn  # noqa: E402

H100 = "nvidia-h100-sxm"


def model():
    torch.manual_seed(1)
    return nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.BatchNorm1d(16),
                         nn.LayerNorm(16), nn.Linear(16, 4))


def train(m, x, t, steps=2):
    optimizer = torch.optim.AdamW(m.parameters(), lr=1e-2)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = F.cross_entropy(m(x), t)
        loss.backward()
        optimizer.step()
    return loss


def test_training_gives_the_results_of_the_cpu():
    torch.manual_seed(0)
    x, t = torch.randn(32, 8), torch.randint(0, 4, (32,))
    expected = train(model(), x, t).item()
    with gpu_estimate.card(H100) as card:
        m = model().to("cuda")
        assert isinstance(m[0].weight, nn.Parameter)
        assert m[0].weight.is_cuda and m[0].weight.device == torch.device("cuda:0")
        loss = train(m, x.cuda(), t.to("cuda"))
        assert loss.item() == pytest.approx(expected, rel=1e-6)
        state = m.cpu()[0].weight
        assert type(state) is nn.Parameter and state.device.type == "cpu"
    run = card.pytorch
    assert run.unpriced == {}
    names = {row.name for row in run.operations()}
    assert {"aten::addmm", "aten::mm (backward)", "aten::_foreach_addcdiv_"} <= names
    modules = {row.name for row in run.modules()}
    assert {"0 (Linear)", "0 (Linear) backward"} <= modules
    assert run.kernel_count == len(card.report.launches)
    assert sum(row.gpu_ms for row in run.operations()) == pytest.approx(run.gpu_ms)


def test_small_models_are_bound_by_the_host():
    with gpu_estimate.card(H100, execute="none") as card:
        with torch.device("cuda"):
            m, x = model(), torch.zeros(32, 8)
            t = torch.zeros(32, dtype=torch.int64)
        train(m, x, t, steps=20)
    assert card.pytorch.bound.startswith("host")
    # A launch and its dispatch take some microseconds each.
    per_kernel = card.pytorch.total_ms / card.pytorch.kernel_count
    assert 0.004 < per_kernel < 0.012


def test_nothing_executes():
    with gpu_estimate.card(H100, execute="none") as card, torch.no_grad():
        with torch.device("cuda"):
            weights = [torch.empty(8192, 8192, dtype=torch.bfloat16)
                       for _ in range(64)]
        x = torch.empty(4096, 8192, dtype=torch.bfloat16, device="cuda")
        for weight in weights:
            x = x @ weight
        assert x.shape == (4096, 8192) and x.is_cuda
        assert x.sum().item() == 1
        assert torch.cuda.max_memory_allocated() > 8 << 30
    run = card.pytorch
    assert any("values of the card" in text for text in run.notices)
    product = next(row for row in run.operations() if row.name == "aten::mm")
    # 64 products of 2 * 4096 * 8192^2 operations at 989 T/s at most.
    assert product.gpu_ms > 64 * 2 * 4096 * 8192 ** 2 / 989e12 * 1e3
    assert product.kernels == 64


def test_out_of_memory_says_what_would_fit():
    with gpu_estimate.card(H100, execute="none"):
        kept = []
        with pytest.raises(torch.OutOfMemoryError, match="What would fit"):
            for _ in range(100):
                kept.append(torch.empty(1 << 30, device="cuda"))
        assert 15 <= len(kept) <= 20  # of 4 GiB each, on 80 GB
        del kept
        assert torch.cuda.memory_allocated() == 0
        torch.empty(1 << 30, device="cuda")


def test_memory_is_freed_with_its_last_view():
    with gpu_estimate.card(H100, execute="none"):
        x = torch.empty(1 << 20, device="cuda")
        view = x.view(1024, 1024)[3:]
        del x
        assert torch.cuda.memory_allocated() == 4 << 20
        del view
        assert torch.cuda.memory_allocated() == 0
        assert torch.cuda.memory_reserved() == 20 << 20


def test_autocast():
    with gpu_estimate.card(H100) as card:
        linear = nn.Linear(8, 8).cuda()
        norm = nn.LayerNorm(8).cuda()
        x = torch.randn(4, 8, device="cuda")
        with torch.autocast("cuda", dtype=torch.bfloat16):
            y = linear(x)
            assert y.dtype == torch.bfloat16
            assert norm(y).dtype == torch.float32
            assert (y @ y.t()).dtype == torch.bfloat16
        norm(y.float()).sum().backward()
        assert linear.weight.grad.dtype == torch.float32
    assert card.pytorch.kernel_count > 8


@pytest.mark.parametrize("kind, mask, expected", [
    (torch.float16, False, "_scaled_dot_product_flash_attention"),
    (torch.float32, False, "_scaled_dot_product_efficient_attention"),
    (torch.float16, True, "_scaled_dot_product_efficient_attention"),
])
def test_attention(kind, mask, expected):
    torch.manual_seed(0)
    q, k, v = (torch.randn(2, 4, 32, 16) for _ in range(3))
    bias = torch.randn(2, 4, 32, 32) if mask else None
    right = F.scaled_dot_product_attention(q, k, v, bias)
    with gpu_estimate.card(H100) as card:
        on = [t.to("cuda", kind).requires_grad_() for t in (q, k, v)]
        out = F.scaled_dot_product_attention(
            *on, bias.to("cuda", kind) if mask else None)
        out.sum().backward()
        assert on[0].grad.shape == q.shape
        assert torch.allclose(out.cpu().float(), right, atol=2e-2)
    names = {row.name for row in card.pytorch.operations()}
    assert f"aten::{expected}" in names and f"aten::{expected}_backward (backward)" \
        in names


def test_streams_and_events():
    with gpu_estimate.card(H100, execute="none"):
        x = torch.empty(4096, 4096, device="cuda")
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        side = torch.cuda.Stream()
        begin.record()
        x @ x
        end.record()
        torch.cuda.synchronize()
        alone = begin.elapsed_time(end)
        # 2 * 4096^3 fp32 operations at 67 T/s at most.
        assert alone > 2 * 4096 ** 3 / 67e12 * 1e3
        with torch.cuda.stream(side):
            assert torch.cuda.current_stream() == side
            x + 1
        torch.cuda.current_stream().wait_stream(side)
        assert torch.cuda.current_stream() == torch.cuda.default_stream()


def test_the_device_is_the_card():
    assert not torch.cuda.is_available() or torch.cuda.device_count() > 0
    before = torch.cuda.is_available
    with gpu_estimate.card(H100, execute="none"):
        assert torch.cuda.is_available() and torch.cuda.device_count() == 1
        assert "H100" in torch.cuda.get_device_name(0)
        assert torch.cuda.get_device_capability() == (9, 0)
        assert torch.cuda.get_device_properties(0).multi_processor_count == 132
        free, total = torch.cuda.mem_get_info()
        assert 79e9 < total < 87e9 and free < total
        with pytest.raises(RuntimeError, match="invalid device ordinal"):
            torch.empty(1, device="cuda:1")
        with pytest.raises(RuntimeError, match="same device"):
            torch.empty(4, device="cuda") + torch.empty(4)
    assert torch.cuda.is_available is before


def test_an_operation_without_a_price_is_named():
    with gpu_estimate.card(H100) as card:
        torch.linalg.qr(torch.randn(8, 8, device="cuda"))
    assert card.pytorch.unpriced == {"aten::linalg_qr": 1}
    assert any("linalg_qr has no price" in text for text in card.report.notices)


def test_inference_mode_has_the_prices_of_no_grad():
    """It calls aten::linear where else mm and addmm are."""
    products = []
    for mode in (torch.no_grad, torch.inference_mode):
        with gpu_estimate.card(H100, execute="none") as card:
            layers = [torch.nn.Linear(256, 512, bias=bias).half().cuda()
                      for bias in (False, True)]
            with mode():
                for layer in layers:
                    layer(torch.empty(3, 64, 256, dtype=torch.float16,
                                      device="cuda"))
        assert not card.pytorch.unpriced
        products.append([(row.name, row.gpu_ms) for row in card.pytorch.kernels()
                         if row.name.startswith("cublas")])
    assert len(products[0]) == 2 and products[0] == products[1]


def test_layers_move_under_inference_mode():
    """torch asks by an operation there whether a parameter's data can be replaced."""
    with gpu_estimate.card(H100):
        layer, x = torch.nn.Linear(64, 32), torch.randn(4, 64)
        expected = layer(x)
        with torch.inference_mode():
            layer.cuda()
            assert layer.weight.device.type == "cuda"
            assert torch.allclose(layer(x.cuda()).cpu(), expected, atol=1e-5)
            assert layer.half().weight.dtype is torch.float16
            assert layer.cpu().weight.device.type == "cpu"
            made = torch.nn.BatchNorm1d(8).to("cuda")
            assert made.running_mean.device.type == "cuda"


def test_reports(tmp_path):
    with gpu_estimate.card(H100, execute="none") as card:
        train(model().cuda(), torch.zeros(32, 8).cuda(),
              torch.zeros(32, dtype=torch.int64).cuda(), steps=1)
    run = card.pytorch
    found = run.to_json()
    assert found["schema"] == "gpu-estimate-torch/1"
    assert found["interval_ms"][0] < found["gpu_ms"] < found["interval_ms"][1]
    assert sum(row["share"] for row in found["kernels"]) == pytest.approx(1)
    run.chrome_trace(tmp_path / "trace.json")
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    categories = {event.get("cat") for event in events}
    assert {"kernel", "cpu_op", "cuda_runtime"} <= categories
    kernels = [event for event in events if event.get("cat") == "kernel"]
    assert len(kernels) == run.kernel_count
    assert "aten::addmm" in run._repr_html_() and "aten::addmm" in str(run)
    assert run.memory_over_time()[-1][1] > 0


def test_checkpointing_and_deepcopy():
    import copy
    from torch.utils.checkpoint import checkpoint
    torch.manual_seed(0)
    x = torch.randn(4, 8)
    with gpu_estimate.card(H100):
        m = nn.Sequential(nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 8)).cuda()
        twin = copy.deepcopy(m)
        y = x.cuda().requires_grad_()
        checkpoint(m, y, use_reentrant=False).sum().backward()
        z = x.cuda().requires_grad_()
        twin(z).sum().backward()
        assert torch.allclose(y.grad.cpu(), z.grad.cpu())
        assert torch.allclose(m[0].weight.grad.cpu(), twin[0].weight.grad.cpu())


SOURCE = """
__global__ void scale_kernel(const float *x, float *y, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = by * x[i];
}
torch::Tensor scale(torch::Tensor x, double by) {
  TORCH_CHECK(x.is_cuda(), "x must be a CUDA tensor");
  auto input = x.contiguous();
  auto y = torch::empty_like(input);
  int n = input.numel();
  scale_kernel<<<(n + 255) / 256, 256>>>(input.data_ptr<float>(),
                                         y.data_ptr<float>(), by, n);
  return y;
}
"""


def test_an_extension_executes(tmp_path, monkeypatch):
    monkeypatch.setenv("GPU_ESTIMATE_EXTENSIONS", str(tmp_path))
    from torch.utils import cpp_extension
    with gpu_estimate.card(H100) as card:
        made = cpp_extension.load_inline(
            name="scaling", cpp_sources="torch::Tensor scale(torch::Tensor x, double by);",
            cuda_sources=SOURCE, functions=["scale"])
        x = torch.arange(1000.0).cuda()
        assert torch.equal(made.scale(x, 2.5).cpu(), torch.arange(1000.0) * 2.5)
        # Not contiguous: the extension asks PyTorch for a copy.
        y = torch.arange(1000.0).view(10, 100).cuda().t()
        assert torch.equal(made.scale(y, 2).cpu(), y.cpu() * 2)
        with pytest.raises(RuntimeError, match="x must be a CUDA tensor"):
            made.scale(torch.zeros(4), 1)
        with pytest.raises(RuntimeError, match="Error building extension 'bad'"):
            cpp_extension.load_inline(name="bad", cpp_sources="",
                                      cuda_sources="this is no C++", functions=[])
    names = [launch.name for launch in card.report.launches]
    assert sum("scale_kernel" in name for name in names) == 2
    assert card.pytorch.kernel_count == len(names)


def test_functions_in_python_hide_no_decision():
    """Attention, dropout and products inside of multi_head_attention_forward()."""
    with gpu_estimate.card(H100, execute="none") as card:
        with torch.device("cuda"):
            layer = nn.TransformerEncoderLayer(64, 4, 128, batch_first=True)
            x = torch.randn(2, 16, 64)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            out = layer(x)
        out.float().sum().backward()
    names = {row.name for row in card.pytorch.operations()}
    assert "aten::_scaled_dot_product_flash_attention" in names
    assert "aten::native_dropout" in names and "aten::bernoulli_" not in names
    work = [kernel for _, kernel in card.pytorch._owner.work
            if kernel.name.startswith("cublas")]
    assert work and {kernel.operands for kernel in work} == {"bf16"}


@pytest.mark.parametrize("kind", ["LSTM", "GRU", "RNN"])
def test_recurrent_layers_are_one_operation(kind):
    """With and without data the same kernels; results are those of the CPU."""
    def step(m, x):
        out, state = m(x)
        (out.square().mean() + (state[0] if kind == "LSTM" else state).sum()).backward()
        return out

    torch.manual_seed(0)
    m = getattr(nn, kind)(8, 16, num_layers=2, bidirectional=True, batch_first=True)
    x = torch.randn(4, 10, 8)
    expected = step(m, x).detach()
    gradient = m.weight_hh_l0.grad.clone()
    kernels = []
    for execute in ("all", "none"):
        m.zero_grad()
        with gpu_estimate.card(H100, execute=execute) as card:
            on_card = __import__("copy").deepcopy(m).to("cuda")
            out = step(on_card, x.cuda())
            if execute == "all":
                assert torch.allclose(out.detach().cpu(), expected, atol=1e-6)
                assert torch.allclose(on_card.weight_hh_l0.grad.cpu(), gradient,
                                      atol=1e-5)
            lengths = torch.tensor([10, 7, 3, 1])
            packed = nn.utils.rnn.pack_padded_sequence(
                x.cuda(), lengths, batch_first=True)
            packed_out = on_card(packed)[0]
            assert packed_out.data.shape == (21, 32)
            padded, found = nn.utils.rnn.pad_packed_sequence(
                packed_out, batch_first=True)
            assert padded.shape == (4, 10, 32) and torch.equal(found, lengths)
            padded.sum().backward()
        rows = {row.name: row for row in card.pytorch.operations()}
        assert rows["aten::_cudnn_rnn"].calls == 2
        assert rows["aten::_cudnn_rnn_backward (backward)"].calls == 2
        kernels.append(rows["aten::_cudnn_rnn_backward (backward)"].kernels)
        assert card.pytorch.unpriced == {}
    assert kernels[0] == kernels[1] == 2 * 4 * (2 * 10 + 3)


def test_recurrent_cells():
    torch.manual_seed(0)
    cell, x = nn.LSTMCell(8, 16), torch.randn(4, 8)
    expected = cell(x)[1]
    with gpu_estimate.card(H100) as card:
        h, c = cell.to("cuda")(x.cuda())
        assert torch.allclose(c.cpu(), expected, atol=1e-6)
        (h.sum() + c.sum()).backward()
        assert nn.GRUCell(8, 16).cuda()(x.cuda()).shape == (4, 16)
    rows = {row.name: row for row in card.pytorch.operations()}
    assert rows["aten::_thnn_fused_lstm_cell"].kernels == 3


def test_programs_without_data_go_on():
    """They divide by losses, compare results, and skip steps with infinities."""
    with gpu_estimate.card(H100, execute="none") as card:
        m = nn.Linear(4, 4).to("cuda")
        optimizer = torch.optim.SGD(m.parameters(), 1)
        scaler = torch.amp.GradScaler("cuda")
        x = torch.ones(2, 4, device="cuda")
        loss = m(x).sum()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        assert 10 / loss.item() > 0
        assert torch.allclose(m(x), m(x)) and torch.equal(x, x)
    assert any(row.name.startswith("aten::_foreach_add_")
               for row in card.pytorch.operations())


def test_the_profiler_of_torch(tmp_path, capfd):
    """It works, and a notice says that it has no kernels."""
    from torch.profiler import ProfilerActivity, profile, schedule
    with gpu_estimate.card(H100) as card:
        x = torch.ones(8, 8, device="cuda")
        with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA],
                     schedule=schedule(wait=1, warmup=1, active=1),
                     record_shapes=True) as found:
            for _ in range(3):
                (x @ x).sum().item()
                found.step()
        table = found.key_averages().table(sort_by="cuda_time_total", row_limit=5)
        found.export_chrome_trace(str(tmp_path / "trace.json"))
    assert "aten::mm" in table and (tmp_path / "trace.json").exists()
    assert any("torch.profiler" in text for text in card.pytorch.notices)
    assert "Failed to record CUDA event" not in capfd.readouterr().err


@pytest.mark.parametrize("execute", ["all", "none"])
def test_cuda_graphs(execute):
    """A capture changes nothing; a replay is one call, and does a step."""
    torch.manual_seed(0)
    data = [(torch.randn(32, 8), torch.randint(0, 4, (32,))) for _ in range(4)]

    def step(m, optimizer, x, t):
        optimizer.zero_grad(set_to_none=True)
        loss = F.cross_entropy(m(x), t)
        loss.backward()
        optimizer.step()
        return loss

    m = model()
    optimizer = torch.optim.SGD(m.parameters(), lr=0.1, momentum=0.9)
    expected = [step(m, optimizer, x, t).item() for x, t in data]
    with gpu_estimate.card(H100, execute=execute) as card:
        m = model().to("cuda")
        optimizer = torch.optim.SGD(m.parameters(), lr=0.1, momentum=0.9)
        x, t = (v.to("cuda") for v in data[0])
        losses = [step(m, optimizer, x, t).item()]
        graph = torch.cuda.CUDAGraph()
        before = card.pytorch.kernel_count
        other = torch.cuda.Stream()
        assert not torch.cuda.current_stream().is_capturing()
        with torch.cuda.graph(graph):
            assert torch.cuda.is_current_stream_capturing()
            assert torch.cuda.current_stream().is_capturing()
            assert not other.is_capturing()
            loss = step(m, optimizer, x, t)
            with pytest.raises(RuntimeError, match="capturing"):
                loss.item()
        assert card.pytorch.kernel_count == before
        times = []
        for new_x, new_t in data[1:]:
            x.copy_(new_x)
            t.copy_(new_t)
            torch.cuda.synchronize()
            begin = card.now_ns()
            graph.replay()
            torch.cuda.synchronize()
            times.append(card.now_ns() - begin)
            losses.append(loss.item())
        begin = card.now_ns()
        step(m, optimizer, x, t)
        torch.cuda.synchronize()
        eager = card.now_ns() - begin
        assert max(times) < eager / 2  # the host launches once
    if execute == "all":
        assert losses == pytest.approx(expected, rel=1e-5)
    assert card.pytorch.kernel_count > before
    rows = {row.name: row for row in card.pytorch.operations()}
    assert rows["aten::addmm"].calls == 2 * (1 + 1 + 3 + 1)


def test_graphed_callables():
    with gpu_estimate.card(H100) as card:
        m = nn.Sequential(nn.Linear(8, 8), nn.GELU()).to("cuda")
        x = torch.randn(4, 8, device="cuda", requires_grad=True)
        expected = m(x).detach().clone()
        graphed = torch.cuda.make_graphed_callables(m, (x,))
        out = graphed(x)
        assert torch.allclose(out, expected)
        out.sum().backward()
        assert m[0].weight.grad is not None
    assert card.report.totals.gpu_ms > 0


@pytest.mark.parametrize("execute", ["all", "none"])
def test_one_process_of_data_parallelism(execute):
    import torch.distributed as dist
    torch.manual_seed(0)
    m, x = nn.Linear(8, 4), torch.randn(4, 8)
    expected = m(x).detach()
    with gpu_estimate.card(H100, execute=execute):
        dist.init_process_group("nccl", init_method="tcp://127.0.0.1:29431", rank=0,
                                world_size=1)
        try:
            assert dist.get_backend() == "nccl" and dist.get_world_size() == 1
            y = torch.ones(3, device="cuda")
            dist.all_reduce(y)
            dist.broadcast(y, 0)
            dist.barrier()
            if execute == "all":
                assert y.tolist() == [1, 1, 1]
        finally:
            dist.destroy_process_group()
        from torch.nn.parallel import DistributedDataParallel
        ddp = DistributedDataParallel(m.to("cuda"), device_ids=[0])
        assert "module.weight" in ddp.state_dict()
        parallel = nn.DataParallel(m)
        for one in (ddp(x.cuda()), parallel(x)):
            one.sum().backward()
            if execute == "all":
                assert torch.allclose(one.detach().cpu(), expected)
        with pytest.raises(gpu_estimate.GpuEstimateError, match="2 processes"):
            dist.init_process_group("nccl", rank=0, world_size=2)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_attention_with_dropout(dtype):
    """The backward pass drops what the forward pass has dropped: the result is linear
    in the values, and their gradient says by which factors."""
    torch.manual_seed(0)
    with gpu_estimate.card(H100) as card:
        q, k, v = (torch.randn(2, 4, 16, 8, device="cuda").to(dtype).requires_grad_()
                   for _ in range(3))
        out = F.scaled_dot_product_attention(q, k, v, dropout_p=0.5, is_causal=True)
        out.float().sum().backward()
        found = (v.grad.float() * v.float()).sum().item()
        assert found == pytest.approx(out.float().sum().item(), rel=0.02, abs=0.3)
        assert out.float().abs().sum().item() > 0 and q.grad.shape == q.shape
        if dtype is torch.float32:
            # The same mask by the same seed: a difference quotient of the first key.
            def total(shift):
                torch.manual_seed(1)
                moved = k.detach().clone()
                moved[0, 0, 0, 0] += shift
                return F.scaled_dot_product_attention(
                    q.detach(), moved, v.detach(), dropout_p=0.5).sum().item()
            torch.manual_seed(1)
            k.grad = None
            F.scaled_dot_product_attention(q, k, v, dropout_p=0.5).sum().backward()
            assert k.grad[0, 0, 0, 0].item() == pytest.approx(
                (total(0.05) - total(-0.05)) / 0.1, rel=0.02, abs=0.01)
    assert any("attention" in row.name for row in card.pytorch.kernels())


def compiled_step(card, compiles, execute, **options):
    """Kernels and result of a step of training."""
    torch.manual_seed(0)
    x, t = torch.randn(32, 8), torch.randint(0, 4, (32,))
    m = model().to("cuda")
    run = torch.compile(m, **options) if compiles else m
    x, t = x.cuda(), t.cuda()
    torch.cuda.synchronize()
    before = card.pytorch.kernel_count
    loss = F.cross_entropy(run(x), t)
    loss.backward()
    torch.cuda.synchronize()
    kernels = card.pytorch.kernel_count - before
    return kernels, loss.item(), [p.grad.cpu() for p in m.parameters()]


@pytest.mark.parametrize("execute", ["all", "none"])
def test_compile_fuses_the_kernels_of_both_passes(execute):
    with gpu_estimate.card(H100, execute=execute) as card:
        eager, loss, gradients = compiled_step(card, False, execute)
    with gpu_estimate.card(H100, execute=execute) as card:
        fused, compiled_loss, compiled_gradients = compiled_step(card, True, execute)
    assert fused < eager
    assert compiled_loss == loss
    for left, right in zip(gradients, compiled_gradients):
        assert torch.equal(left, right)
    names = {row.name for row in card.pytorch.operations()}
    assert any(name.startswith("triton_red_fused") and "gelu" in name
               for name in names)
    assert any(name.startswith("triton_") and name.endswith("(backward)")
               for name in names)
    assert any("torch.compile" in notice for notice in card.pytorch.notices)
    assert card.pytorch.kernel_count == len(card.report.launches)


def test_compiled_functions_move_fewer_bytes():
    def work(x, y):
        return torch.softmax(torch.tanh(x * y + 1) * 0.5, -1)

    def milliseconds(function):
        with gpu_estimate.card(H100, execute="none") as card:
            x, y = (torch.empty(8192, 4096, device="cuda") for _ in range(2))
            function = torch.compile(function) if function is not work else function
            function(x, y)
        found = {row.name: row for row in card.pytorch.kernels()}
        return sum(row.gpu_ms for row in found.values()), found

    eager, _ = milliseconds(work)
    fused, kernels = milliseconds(lambda x, y: work(x, y))
    assert list(kernels) == ["triton_red_fused__softmax_add_mul_tanh"]
    # Reads two tensors and writes one; eager: 7 tensors more.
    assert fused < 0.5 * eager


def test_compiled_functions_read_and_write_what_indices_say():
    def step(table, cache, tokens, place):
        rows = F.embedding(tokens, table) * 2
        cache[:, place] = rows
        return rows

    with gpu_estimate.card(H100, execute="all") as card:
        table = torch.randn(1 << 16, 256, device="cuda")
        cache = torch.zeros(4, 4096, 256, device="cuda")
        tokens = torch.tensor([[1], [2], [3], [4]], device="cuda")
        place = torch.tensor([7], device="cuda")
        rows = torch.compile(step)(table, cache, tokens, place)
        assert torch.equal(cache[:, 7].cpu(), rows[:, 0].cpu())
    found = [row for row in card.pytorch.kernels() if "triton" in row.name]
    assert [row.name for row in found] == ["triton_poi_fused_embedding_index_put_mul"]
    assert found[0].gpu_ms < 0.005  # the table has 67 MB


def test_a_compiled_loss_takes_its_gradient_in():
    """The gradient of the negative log-likelihood, one element of each row, is never
    written."""
    with gpu_estimate.card(H100, execute="none") as card:
        x = torch.empty(4096, 32000, device="cuda", requires_grad=True)
        t = torch.zeros(4096, dtype=torch.int64, device="cuda")
        torch.compile(F.cross_entropy)(x, t).backward()
    names = {row.name for row in card.pytorch.operations()}
    assert "triton_red_fused__log_softmax_backward_data_nll_loss_backward " \
        "(backward)" in names
    assert not any(name.startswith("aten::nll_loss") for name in names)


def test_compiled_optimizers_read_each_tensor_once():
    def kernels(compiles):
        with gpu_estimate.card(H100, execute="all") as card:
            torch.manual_seed(0)
            m = nn.Linear(2048, 2048, device="cuda")
            for p in m.parameters():
                p.grad = torch.ones_like(p)
            optimizer = torch.optim.SGD(m.parameters(), lr=0.1, momentum=0.9,
                                        weight_decay=0.01)
            step = torch.compile(optimizer.step) if compiles else optimizer.step
            step()
            before = len(card.pytorch._owner.work)
            step()
            torch.cuda.synchronize()
            return ([k for _, k in card.pytorch._owner.work[before:]],
                    m.weight.sum().item())

    eager, expected = kernels(False)
    fused, value = kernels(True)
    assert value == expected

    def read(found):
        return sum(dict(k.sizes).get("read_bytes", 0) * k.count for k in found)

    assert any(k.name.startswith("triton_for_fused__foreach_") for k in fused)
    assert read(fused) < 0.7 * read(eager)


def test_compiled_graphs_are_one_launch():
    def milliseconds(mode):
        with gpu_estimate.card(H100, execute="none") as card:
            m = torch.compile(model().to("cuda").eval(), mode=mode)
            x = torch.empty(32, 8, device="cuda")
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            with torch.no_grad():
                m(x)
                torch.cuda.synchronize()
                begin.record()
                for _ in range(10):
                    m(x)
                end.record()
                torch.cuda.synchronize()
            return begin.elapsed_time(end)

    assert milliseconds("reduce-overhead") < milliseconds("default")


def test_compiled_modules_are_as_those_of_torch():
    with gpu_estimate.card(H100) as card:
        m = model().to("cuda")
        compiled = torch.compile(m)
        assert set(compiled.state_dict()) == {"_orig_mod." + name
                                              for name in m.state_dict()}
        compiled.eval()
        assert not m.training
        m.compile()
        with torch.no_grad():
            expected = compiled(torch.ones(4, 8).cuda()).cpu()
            assert torch.equal(m(torch.ones(4, 8).cuda()).cpu(), expected)

        @torch.compile(fullgraph=True)
        def positive(x):
            y = x * 2
            return y + 1 if y.sum().item() > 0 else y - 1  # a break of the graph

        assert positive(torch.ones(4).cuda()).tolist() == [3, 3, 3, 3]
        assert torch.compile(positive, disable=True) is positive
        assert torch.compile(positive, backend="eager") is positive
    assert positive(torch.ones(2)).tolist() == [3, 3]  # the card is closed


@pytest.mark.parametrize("execute", ["all", "none"])
def test_work_on_the_cpu_stays_there(execute):
    torch.manual_seed(0)
    x, t = torch.randn(32, 8), torch.randint(0, 4, (32,))
    expected = train(model(), x, t).item()
    with gpu_estimate.card(H100, execute=execute) as card:
        assert train(model(), x, t).item() == expected
        assert card.pytorch.kernel_count == 0


def test_generators_types_and_memory_of_torch_cuda():
    with gpu_estimate.card(H100) as card:
        generator = torch.Generator(device="cuda").manual_seed(3)
        assert generator.device.type == "cuda"
        assert isinstance(generator, torch.Generator)
        a = torch.randn(3, device="cuda", generator=generator)
        generator.manual_seed(3)
        assert torch.equal(a, torch.randn(3, device="cuda", generator=generator))
        assert torch.randperm(9, device="cuda", generator=generator).is_cuda
        assert isinstance(a, torch.cuda.FloatTensor)
        assert torch.cuda.FloatTensor([1, 2]).tolist() == [1, 2]
        array = pytest.importorskip("numpy").ones((2, 3))
        assert torch.cuda.FloatTensor(array).sum().item() == 6
        assert torch.cuda.LongTensor(2, 3).shape == (2, 3)
        assert a.type() == "torch.cuda.FloatTensor"
        assert torch.ones(2).type("torch.cuda.HalfTensor").dtype == torch.float16
        assert f"{a.sum() * 0:.2f}" in ("0.00", "-0.00")
        with pytest.raises(TypeError, match=r"Tensor.cpu\(\)"):
            a.numpy()
        assert "CUDA" in torch.cuda.memory_summary()
        assert torch.empty(3, pin_memory=True).is_pinned()
    with gpu_estimate.card(H100, execute="none"):
        generator = torch.Generator(device="cuda")
        torch.randn(3, device="cuda", generator=generator)
        normal = torch.distributions.Normal(torch.zeros(3, device="cuda"), 1.0)
        assert normal.rsample().shape == (3,)
    assert card.pytorch.unpriced == {}
    assert type(torch.Generator()) is not type(generator) and \
        torch.Generator().device.type == "cpu"


def test_random_numbers_repeat_with_their_seed():
    with gpu_estimate.card(H100):
        torch.cuda.manual_seed(7)
        first = torch.randn(4, device="cuda")
        state = torch.cuda.get_rng_state()
        second = torch.randn(4, device="cuda")
        torch.cuda.set_rng_state(state)
        assert torch.equal(torch.randn(4, device="cuda"), second)
        torch.cuda.manual_seed_all(7)
        assert torch.equal(torch.randn(4, device="cuda"), first)
        assert not torch.equal(first, second)


def test_lengths_on_the_cpu():
    torch.manual_seed(0)
    log_probs = torch.randn(10, 2, 5).log_softmax(2)
    targets, lengths = torch.randint(1, 5, (2, 3)), torch.tensor([10, 9])
    expected = F.ctc_loss(log_probs, targets, lengths, torch.tensor([3, 2]))
    with gpu_estimate.card(H100):
        found = F.ctc_loss(log_probs.cuda(), targets.cuda(), lengths,
                           torch.tensor([3, 2]))
        assert found.item() == pytest.approx(expected.item())
        with pytest.raises(RuntimeError, match="same device"):
            F.linear(torch.ones(2, 3, device="cuda"), torch.ones(4, 3))


def test_shapes_that_depend_on_values_need_data():
    with gpu_estimate.card(H100, execute="none"):
        x = torch.ones(4, device="cuda")
        for call in (lambda: x[x > 0], lambda: x.nonzero()):
            with pytest.raises(gpu_estimate.GpuEstimateError,
                               match="depends on values.*use execute=\"all\""):
                call()


def test_both_modes_launch_the_same_kernels():
    """Assignments of numbers, and the layouts of what attention gives back."""
    names = []
    for execute in ("all", "none"):
        with gpu_estimate.card(H100, execute=execute) as card:
            x = torch.ones(8, 16, device="cuda")
            x[x < 2] = -1.0
            x[0] = 3
            x[:, 1:3] = 0
            layer = nn.TransformerEncoderLayer(16, 2, 32).to("cuda")
            mask = torch.zeros(4, 4, device="cuda")
            layer(torch.ones(4, 2, 16, device="cuda"), src_mask=mask).sum().backward()
            q = torch.ones(2, 4, 2, 8, device="cuda", dtype=torch.bfloat16)
            q = q.requires_grad_().transpose(1, 2)
            F.scaled_dot_product_attention(q, q, q).transpose(1, 2).reshape(
                2, 4, 16).sum().backward()
        names.append([name for _, name in card.pytorch._owner.launched])
    assert names[0] == names[1]


def test_recomputation_decides_as_the_forward_pass():
    from torch.utils.checkpoint import checkpoint

    def attend(x):
        x = F.linear(x, torch.eye(64, device="cuda"))
        x = x.view(2, 16, 4, 16).transpose(1, 2)
        return F.dropout(F.scaled_dot_product_attention(x, x, x, is_causal=True))

    for reentrant in (True, False):
        with gpu_estimate.card(H100, execute="none") as card:
            x = torch.randn(2, 16, 64, device="cuda", requires_grad=True)
            with torch.autocast("cuda", dtype=torch.bfloat16):
                out = checkpoint(attend, x, use_reentrant=reentrant)
            out.float().sum().backward()
        calls = {}
        for row in card.pytorch.operations():
            name = row.name.replace(" (backward)", "")
            calls[name] = calls.get(name, 0) + row.calls
        assert calls["aten::_scaled_dot_product_flash_attention"] == 2
        assert calls["aten::native_dropout"] == 2
        assert not any("_softmax" in name for name in calls)


def test_helpers_of_functions_in_cpp_are_on_the_card():
    """torch.sparse.mm() makes a tensor of zeros beside its arguments."""
    torch.manual_seed(0)
    a, x = torch.rand(20, 20).relu().to_sparse(), torch.randn(20, 4)
    with gpu_estimate.card(H100) as card:
        on_card, y = a.to("cuda"), x.cuda().requires_grad_()
        assert on_card.is_sparse and on_card.device == torch.device("cuda:0")
        out = torch.sparse.mm(on_card, y)
        out.sum().backward()
        assert torch.allclose(out.cpu(), torch.sparse.mm(a, x))
        made = torch.sparse_coo_tensor([[0, 1], [1, 0]], [1., 2.], (2, 2),
                                       device="cuda")
        assert made.to_dense().cpu().tolist() == [[0, 1], [2, 0]]
    assert any("SpMM" in row.name for row in card.pytorch.kernels())
    with gpu_estimate.card(H100, execute="none") as none:
        on_card, y = a.to("cuda"), x.cuda().requires_grad_()
        torch.sparse.mm(on_card, y).sum().backward()
        assert y.grad.shape == y.shape
        with pytest.raises(gpu_estimate.GpuEstimateError, match="sparse"):
            on_card * y
    rows = [{row.name: row.kernels for row in c.pytorch.kernels()}["at::cusparseSpMM"]
            for c in (card, none)]
    assert rows[0] == rows[1]


def test_accelerator_is_the_card():
    if not hasattr(torch, "accelerator"):
        pytest.skip("torch.accelerator is newer")
    with gpu_estimate.card(H100):
        assert torch.accelerator.is_available()
        assert torch.accelerator.device_count() == 1
        place = torch.accelerator.current_accelerator()
        assert torch.ones(2, device=place).is_cuda
        torch.accelerator.synchronize()
        stream, event = torch.Stream("cuda"), torch.Event("cuda", enable_timing=True)
        assert isinstance(stream, torch.Stream) and isinstance(event, torch.Event)
        event.record(stream)
        stream.wait_event(event)
        stream.synchronize()
        assert torch.accelerator.current_device_index() == 0


def test_checkpoints_keep_the_device(tmp_path):
    file = tmp_path / "checkpoint.pt"
    with gpu_estimate.card(H100):
        m = model().to("cuda")
        train(m, torch.randn(8, 8).cuda(), torch.zeros(8, dtype=torch.int64).cuda())
        torch.save({"model": m.state_dict(), "view": m[0].weight.detach()[1],
                    "whole": m}, file)
        found = torch.load(file, weights_only=False)
        assert found["model"]["0.weight"].is_cuda and found["view"].is_cuda
        found["model"]["0.weight"].zero_()
        assert found["view"].abs().sum().item() == 0  # one storage, as before
        assert found["whole"][0].weight.requires_grad
        m.load_state_dict(torch.load(file, weights_only=False)["model"])
        on_cpu = torch.load(file, map_location="cpu", weights_only=False)
        assert not on_cpu["model"]["0.weight"].is_cuda
        assert torch.equal(on_cpu["model"]["0.weight"], m[0].weight.cpu())


def test_threads_and_workers_of_a_loader():
    import threading
    data = torch.utils.data.TensorDataset(torch.arange(32.).view(16, 2))
    found = []
    with gpu_estimate.card(H100):
        for pins, workers in ((True, 2), (True, 0), (False, 2)):
            loader = torch.utils.data.DataLoader(data, 4, num_workers=workers,
                                                 pin_memory=pins)
            for x, in loader:
                assert x.is_pinned() == pins
                found.append(x.to("cuda", non_blocking=True).sum().item())
        thread = threading.Thread(
            target=lambda: found.append(torch.ones(3, device="cuda").sum().item()))
        thread.start()
        thread.join()
    assert sum(found[:-1]) == 3 * 31 * 16 and found[-1] == 3


def run_script(script, *options, **environment):
    return subprocess.run(
        [_installation.command(), "run", "--gpu", H100, *options, str(script)],
        capture_output=True, text=True,
        env={**os.environ, "GPU_ESTIMATE_PYTHON": sys.executable,
             **environment})


def test_a_script_whose_module_imports_torch(tmp_path):
    """PYTHONPATH of the user stays; the clocks of a program that polls go on."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "layers.py").write_text(
        "import torch\ndef work(): return torch.ones(4, device='cuda').sum()\n")
    script = tmp_path / "script.py"
    script.write_text("import time\n"
                      "before = time.perf_counter()\n"
                      "import layers\n"
                      "print('import', time.perf_counter() - before < 0.1)\n"
                      "end = time.time() + 0.002\n"
                      "while time.time() < end: pass\n"
                      "before = time.perf_counter()\n"
                      "time.sleep(0.5)\n"
                      "print('sum', layers.work().item(),"
                      " time.perf_counter() - before >= 0.5)\n")
    file = tmp_path / "report.json"
    done = run_script(script, "--format", "json", "-o", str(file),
                      PYTHONPATH=str(tmp_path / "elsewhere"))
    assert done.returncode == 0, done.stderr
    assert "sum 4.0 True" in done.stdout
    # The import of torch and the end of the interpreter, of seconds, are no work of
    # the modelled host.
    assert "import True" in done.stdout
    assert 500 < json.loads(file.read_text())["totals"]["wall_ms"] < 650


def test_a_script_runs_unchanged(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import torch\n"
        "assert torch.cuda.is_available()\n"
        "x = torch.randn(512, 512, device='cuda', dtype=torch.float16)\n"
        "y = (x @ x).relu()\n"
        "print('sum', float(y.float().sum()) > 0, torch.cuda.get_device_name())\n")
    done = run_script(script, "--format", "json", "-o", str(tmp_path / "report.json"))
    assert done.returncode == 0, done.stderr
    assert "sum True NVIDIA H100" in done.stdout
    report = json.loads((tmp_path / "report.json").read_text())
    names = [row["name"] for row in report["launches"]]
    assert "cublasGemmEx" in names
    assert any("reserved" in text for text in report["notices"])
