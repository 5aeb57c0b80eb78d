"""many_sources.py COUNT: kernels s0.cu, s1.cu, ... of this folder with their
compile_commands.json."""
import json
import os
import sys

commands = []
for number in range(int(sys.argv[1])):
    with open(f"s{number}.cu", "w") as out:
        out.write(f"""__global__ void k{number}(float *x) {{
  x[blockIdx.x * blockDim.x + threadIdx.x] *= {number};
}}
void start(float *x) {{ k{number}<<<{1000 + number}, 256>>>(x); }}
""")
    commands.append({"directory": os.getcwd(), "file": f"s{number}.cu",
                     "command": f"nvcc -c s{number}.cu -o s{number}.o"})
with open("compile_commands.json", "w") as out:
    json.dump(commands, out)
