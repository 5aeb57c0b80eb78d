"""Energies and voltage of a GPU from the board power of microbenchmarks.

    power_fit.fit(cases, model) -> {key: value}

The rows of validation/power each keep one part of a GPU busy. What a launch does
follows from its source (EVENTS). With the measured time and board power,

    P = constant + dram_idle + v^2 (leakage + clock_tree f/f0)
        + v^2 f/f0 sm_active S + (v^2 sum of n e + n_dram e_dram) / time

is linear in the energies e for a given voltage v(f) (docs/power.md), so a grid
over knee and floor of the voltage holds a non-negative least-squares problem
(Lawson and Hanson 1974) of relative errors for each. The energies of shared
memory, L1 and L2 have the ratios that GPUJoule (Arunkumar et al., HPCA 2019)
found on Tesla K40: one factor for the three. A GPU model decides by the kind
`fitted` which values are unknown; the others are taken from its file.
"""

from functools import cache

PATH_RATIOS = {"power.energy.shared": 5.32, "power.energy.l1": 5.85,
               "power.energy.l2": 15.48}      # pJ/bit on Tesla K40
BOARD_SHARES = {"power.constant": 0.45, "power.dram_idle": 0.55}  # Titan Xp
# Energy of an event of a program's data by that of the constant data of the
# microbenchmarks. The board power of one matrix product on A100 differs by up to
# 40 % with the values of its elements (Gregersen et al., Input-Dependent Power
# Usage in GPUs, 2024); programs are taken to lie half way.
LIVE_DATA = 1.2
KNEES = [mega * 1e6 for mega in range(800, 1425, 25)]
FLOORS = [percent / 1000 for percent in range(600, 925, 25)]
SIZES = {"float": 4, "int": 4, "double": 8, "float2": 8, "float4": 16}
CLASSES = {"float": "fp32", "int": "int_mul", "double": "fp64"}


def load_and_multiply(threads, kind, params):
    """32 elements of a thread: a load, `steps` multiply-adds in a loop that the
    compiler unrolls, and half a multiply-add of the sum."""
    steps = int(params["steps"])
    products = threads * (32 * steps + 16)
    size = threads * 32 * SIZES[kind]
    return {"instruction": products + threads * 32 * (0.375 * steps + 4),
            CLASSES[kind]: products, "l1": size, "l2": size, "dram": size}


def multiply_in_registers(threads, kind, _):
    """256 rounds of 248 multiply-adds and a store that stays in L2."""
    stores = threads * 256 * SIZES[kind]
    return {"instruction": threads * 256 * 252, CLASSES[kind]: threads * 256 * 248,
            "l1": stores, "l2": stores, "dram": 0}


def exchange_shared(threads, kind, params):
    """Five exchanges a round, of two loads and two stores; seven elements of a
    thread between DRAM and shared memory."""
    words, rounds = SIZES[kind] // 4, int(params["rounds"])
    accesses = 12 + 20 * rounds
    size = threads * 7 * SIZES[kind]
    return {"instruction": threads * (accesses + 5 * rounds + 37 + 5 * words),
            "shared": threads * accesses * SIZES[kind],
            "l1": size, "l2": size, "dram": size}


EVENTS = {"load-and-multiply": load_and_multiply,
          "multiply-in-registers": multiply_in_registers,
          "exchange-shared": exchange_shared}


def events(case):
    """Events of data that change as those of programs do. The programs start
    with zeros and their reals run into infinity, where hardly a wire switches;
    their integers do not repeat."""
    kind = case.function.split("<")[1].rstrip(">")
    found = EVENTS[case.kernel](case.blocks * case.block, kind, case.params)
    live = {"instruction", "int_mul"} if kind == "int" else set()
    return {name: count if name in live else count / LIVE_DATA
            for name, count in found.items()}


def voltage(clock, top, knee, floor):
    """Relative to that at the clock `top`."""
    return floor if clock <= knee else (
        floor + (1 - floor) * (clock - knee) / (top - knee))


def solve(matrix, right):
    """x >= 0 that minimises |matrix x - right|: active sets over the normal
    equations, scaled to a unit diagonal."""
    n = len(matrix[0])
    gram = [[sum(row[i] * row[j] for row in matrix) for j in range(n)]
            for i in range(n)]
    scale = [gram[i][i] ** 0.5 or 1 for i in range(n)]
    gram = [[gram[i][j] / scale[i] / scale[j] for j in range(n)]
            for i in range(n)]
    target = [sum(row[i] * y for row, y in zip(matrix, right)) / scale[i]
              for i in range(n)]

    def unconstrained(active):
        order = sorted(active)
        rows = [[gram[i][j] for j in order] + [target[i]] for i in order]
        for c in range(len(order)):
            pivot = max(range(c, len(order)), key=lambda r: abs(rows[r][c]))
            rows[c], rows[pivot] = rows[pivot], rows[c]
            for r, row in enumerate(rows):
                if r != c and row[c]:
                    factor = row[c] / rows[c][c]
                    rows[r] = [a - factor * b for a, b in zip(row, rows[c])]
        x = [0.0] * n
        for c, i in enumerate(order):
            x[i] = rows[c][-1] / rows[c][c]
        return x

    x, active = [0.0] * n, set()
    while True:
        slope = {i: target[i] - sum(gram[i][j] * x[j] for j in range(n))
                 for i in range(n) if i not in active}
        best = max(slope, key=slope.get, default=None)
        if best is None or slope[best] < 1e-9:
            return [value / s for value, s in zip(x, scale)]
        active.add(best)
        while True:
            trial = unconstrained(active)
            if all(trial[i] > 0 for i in active):
                x = trial
                break
            step = min(x[i] / (x[i] - trial[i])
                       for i in active if trial[i] <= 0)
            x = [a + step * (b - a) for a, b in zip(x, trial)]
            active = {i for i in active if x[i] > 1e-12}


def coefficients(case, model, knee, floor):
    """Watts for each unit of the keys of power."""
    top = model["power.core_clock"]
    squared = voltage(case.clock, top, knee, floor) ** 2
    share = case.clock / top
    row = {"power.constant": 1, "power.dram_idle": 1, "power.leakage": squared,
           "power.clock_tree": squared * share,
           "power.sm_active": squared * share * model["sm_count"]}
    for name, count in events(case).items():
        of_core = 1 if name == "dram" else squared
        row[f"power.energy.{name}"] = of_core * count / case.seconds
    return row


def grouped(row, unknown):
    """Columns of the unknown values; those in fixed proportion are one."""
    columns = {}
    for shares in (PATH_RATIOS, BOARD_SHARES):
        if shares.keys() <= unknown:
            columns["+".join(shares)] = sum(
                row.get(key, 0) * share for key, share in shares.items())
    taken = {key for name in columns for key in name.split("+")}
    return columns | {key: row.get(key, 0) for key in sorted(unknown - taken)}


@cache
def fit_once(cases, values):
    model = dict(values)
    unknown = {key for key, value in model.items()
               if key.startswith("power.") and value is None
               and "voltage" not in key}

    def attempt(knee, floor):
        matrix, right = [], []
        for case in cases:
            row = coefficients(case, model, knee, floor)
            known = sum(watts * model[key] for key, watts in row.items()
                        if key not in unknown)
            columns = grouped(row, unknown)
            matrix.append([value / case.power for value in columns.values()])
            right.append(1 - known / case.power)
        x = solve(matrix, right)
        error = sum((sum(a * b for a, b in zip(row, x)) - y) ** 2
                    for row, y in zip(matrix, right))
        return error, knee, floor, dict(zip(columns, x))

    _, knee, floor, found = min(
        (attempt(knee, floor) for knee in KNEES for floor in FLOORS),
        key=lambda result: result[0])
    result = {"power.voltage_knee": knee, "power.voltage_floor": floor}
    for name, value in found.items():
        shares = (PATH_RATIOS if "shared" in name and "+" in name else
                  BOARD_SHARES if "+" in name else {name: 1})
        result |= {key: value * share for key, share in shares.items()}
    return result


def fit(cases, model):
    """The values of kind `fitted` under `power`, in SI units. Cases have power
    (W), seconds, clock (Hz), blocks, block, kernel, function and params."""
    keys = [key for key in model.values
            if key.startswith("power.") or key == "sm_count"]
    return fit_once(tuple(cases), tuple(
        (key, None if model.values[key].kind == "fitted"
         else model.values[key].number) for key in keys))
