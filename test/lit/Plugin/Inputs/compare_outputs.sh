#!/bin/bash
# compare_outputs.sh FOLDER PLUGIN EXAMPLES COMPILER...: compiles the examples
# with and without the plugin, and fails on the first difference. The device
# side of all; the host side, where the plugin has nothing to do, of some.
set -euo pipefail
folder=$1 plugin=$2 examples=$3
shift 3

compare() { # SOURCE FLAGS...
  "${compiler[@]}" "${@:2}" -O2 "$1" -o "$folder/without" 2>/dev/null
  "${compiler[@]}" "${@:2}" -O2 "$1" -o "$folder/with" -fplugin="$plugin" \
    -fplugin-arg-gpu_estimate-gpu=nvidia-h200 2>/dev/null
  cmp "$folder/without" "$folder/with" || { echo "$*" >&2; exit 1; }
  compared=$((compared + 1))
}

compiler=("$@")
compared=0
for source in "$examples"/*.cu; do
  compare "$source" --cuda-device-only -S
  case $source in
  */saxpy.cu | */matmul.cu) compare "$source" --cuda-host-only -c ;;
  esac
done
# No example, no proof.
[ "$compared" -ge 3 ]
