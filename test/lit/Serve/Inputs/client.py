"""client.py COMMAND...: a client of `gpu-estimate serve`. Requests are one
JSON value a line on standard input, of any protocol; answers are printed in
the order of their ids, with sorted keys. "SAXPY" and "STRIDED" stand for the
sources below."""
import json
import subprocess
import sys

SAXPY = """
__global__ void saxpy(float a, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}
"""
STRIDED = SAXPY.replace("x[i] +", "x[(i * 32) % n] +")

requests = sys.stdin.read().replace('"SAXPY"', json.dumps(SAXPY))
requests = requests.replace('"STRIDED"', json.dumps(STRIDED))
done = subprocess.run(sys.argv[1:], input=requests, text=True,
                      stdout=subprocess.PIPE, check=True)
answers = [json.loads(line) for line in done.stdout.splitlines()]
for answer in sorted(answers, key=lambda a: (a["id"] is None, str(a["id"]))):
    print(json.dumps(answer, sort_keys=True))
