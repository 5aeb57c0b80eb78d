"""Parts of the verifier that need no torch: comparisons, sizes of a problem, the
command line."""

import pytest
from gpu_estimate.kernelbench import __main__ as command
from gpu_estimate.kernelbench import problem
from gpu_estimate.kernelbench.comparing import compare, tolerance_of

numpy = pytest.importorskip("numpy")


@pytest.fixture
def x():
    return numpy.linspace(-2, 2, 60, dtype=numpy.float32).reshape(3, 20)


def test_small_errors_are_tolerated_as_allclose_does(x):
    assert compare(x, x, 0).is_equal
    # |a - e| <= t + t |a|
    assert compare(x, x + 0.9e-4, 1e-4).is_equal
    assert compare(1000 * x + 5000, 1000 * x + 5000.2, 1e-4).is_equal
    found = compare(x, x + 1e-3, 1e-4)
    assert not found.is_equal and found.wrong_elements == 60


def test_a_difference_is_named(x):
    y = x.copy()
    y[1, 7] += 0.5
    found = compare(x, y, 1e-4)
    assert found.where == (1, 7) and found.wrong_elements == 1
    assert found.max_error == pytest.approx(0.5)
    assert "1 of 60 elements are wrong" in found.message


def test_nan_equals_nothing(x):
    y = x.copy()
    y[0, 0] = numpy.nan
    assert not compare(x, y, 1e-2).is_equal
    assert not compare(y, y, 1e-2).is_equal


def test_infinity_equals_itself(x):
    y = x.copy()
    y[0, 0] = numpy.inf
    assert compare(y, y, 1e-4).is_equal
    z = x.copy()
    z[0, 0] = -numpy.inf
    assert not compare(y, z, 1e-4).is_equal


def test_shapes_and_integers(x):
    assert "shape (60,)" in compare(x, x.reshape(-1), 1).message
    i = numpy.arange(10)
    assert compare(i, i, tolerance_of("int64")).is_equal
    assert not compare(i, i + 1, tolerance_of("int64")).is_equal


def test_tolerances_of_kernelbench():
    assert tolerance_of("float32") == 1e-4
    assert tolerance_of("float16") == tolerance_of("bfloat16") == 1e-2


def test_large_sizes_are_reduced():
    source = ("batch = 128\nN = 4096 * 4\nM = N // 2\nchannels = 64\nkernel = 3\n"
              "name = 'x'\n")
    names = {}
    exec(problem.reduced(source, 8), names)
    assert names["batch"] == 64  # not below 64
    assert names["N"] == 2048 and names["M"] == 1024  # M follows N
    assert names["channels"] == 64 and names["kernel"] == 3


def test_a_file_that_does_not_run_is_named(tmp_path):
    file = tmp_path / "bad.py"
    with pytest.raises(Exception, match="bad.py: ZeroDivisionError"):
        problem.load(file, "1 / 0", "bad")
    with pytest.raises(Exception, match="no 'Model'"):
        problem.load(file, "x = 1", "bad").get("Model")


def test_the_command_line_names_a_missing_file(capsys):
    with pytest.raises(SystemExit) as ended:
        command.main(["none.py", "none.py", "--gpu", "nvidia-a40"])
    assert ended.value.code == 2
    assert "none.py: no such file" in capsys.readouterr().err
