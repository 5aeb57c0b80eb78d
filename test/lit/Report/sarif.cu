// Findings for code scanning: SARIF 2.1.0.
// REQUIRES: plugin, jsonschema
// RUN: %analyze %s --gpu nvidia-h200 --budget 1us --format sarif -o %t.sarif; test $? = 1
// RUN: python3 %S/Inputs/check_sarif.py %S/Inputs/sarif-used.schema.json %t.sarif | FileCheck %s
// RUN: FileCheck --check-prefix=TEXT --input-file=%t.sarif %s
// RUN: python3 %S/Inputs/damage_sarif.py %S/Inputs/sarif-used.schema.json %t.sarif | FileCheck --check-prefix=DAMAGE %s
// DAMAGE: {{^}}rejected: {{[1-9][0-9]*}} of additionalProperties, {{[1-9][0-9]*}} of enum, {{[1-9][0-9]*}} of format, {{[1-9][0-9]*}} of minimum, {{[1-9][0-9]*}} of required, {{[1-9][0-9]*}} of type, {{[1-9][0-9]*}} of uniqueItems
// CHECK: SARIF 2.1.0: 1 run, {{[1-9][0-9]*}} rules, {{[1-9][0-9]*}} results
// TEXT-DAG: "ruleId": "gpu-estimate-time"
// TEXT-DAG: "level": "note"
// TEXT-DAG: "ruleId": "gpu-estimate-budget"
// TEXT-DAG: "level": "warning"
// TEXT-DAG: "uri": "file://{{.*}}/sarif.cu"
// TEXT-DAG: "decoratedName": "_Z6stridePKfPfi"
// Of the load below; what stands before it on the line has more bytes than
// characters.
// RUN: FileCheck --check-prefix=PLACE --input-file=%t.sarif %s
// PLACE:      "ruleId": "gpu-estimate-uncoalesced"
// PLACE:      "startLine": [[@LINE+5]],
// PLACE-NEXT: "startColumn": 27
// clang-format off
__global__ void stride(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  /* äöü äöü */ float v = x[32 * i];
  if (i < n)
    y[i] = v;
}
void run(float *x, float *y) { stride<<<4096, 256>>>(x, y, 1 << 20); }

// Names of files are references of URIs.
// RUN: mkdir -p "%t d" && cp %s "%t d/a%%b.cu" && cd "%t d"
// RUN: %analyze a%%b.cu --gpu nvidia-h200 --format sarif | FileCheck --check-prefix=URI %s
// URI: "uri": "a%25b.cu"

// With the plugin, clang's own SARIF has our findings, too.
// RUN: cd / && %clang_cuda --cuda-device-only -fsyntax-only -fplugin=%plugin -fplugin-arg-gpu_estimate-gpu=nvidia-h200 \
// RUN:   -Wno-sarif-format-unstable -fdiagnostics-format=sarif %s 2>&1 | FileCheck --check-prefix=CLANG %s
// CLANG: "results":[{{.*}}'stride' takes

// LLVM's optimisation records.
// RUN: %analyze %s --gpu nvidia-h200 --format opt-record -o %t.yaml
// RUN: FileCheck --check-prefix=YAML --input-file=%t.yaml %s
// YAML:      --- !Passed
// YAML-NEXT: Pass: gpu-estimate
// YAML-NEXT: Name: time
// YAML-NEXT: DebugLoc: { File: '{{.*}}sarif.cu', Line: {{[0-9]+}}, Column: 17 }
// YAML-NEXT: Function: '_Z6stridePKfPfi'
// YAML-NEXT: Args:
// YAML-NEXT: - String: '''stride'' takes {{.*}}'
// YAML-NEXT: ...
// YAML:      --- !Missed
// YAML:      Name: uncoalesced
// RUN: llvm-remarkutil count --parser=yaml %t.yaml | FileCheck --check-prefix=COUNT %s
// COUNT: sarif.cu,2
