# Shared by the scripts beside it: where things are, and how to get the tools.
# Sourced with bash, errors are fatal (set -euo pipefail) in every user of it.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
BUILD=${BUILD:-$ROOT/build}
JOBS=${JOBS:-$(nproc)}

# say WORDS...: the headline of a step, with the minutes and seconds since the start of the script.
say() { printf '\n== %s (at %d:%02d)\n' "$*" $((SECONDS / 60)) $((SECONDS % 60)); }

# What a bare Debian 12 lacks: compiler and LLVM to build with, clang to run the
# examples through, libraries, and what the tests and checks use.
PACKAGES=(
  g++ cmake ninja-build ccache python3 python3-jsonschema python3-pil python3-venv python3-yaml
  clang-19 lld-19 libclang-19-dev llvm-19-dev llvm-19-tools libpolly-19-dev
  libcli11-dev libgtest-dev libbenchmark-dev libdlib-dev
  libboost-context-dev libtbb-dev libblas-dev libfftw3-double3 liblapack3 libcpp-httplib-dev patchelf
  clang-format-19 clang-tidy-19 libclang-rt-19-dev
  mandoc file dpkg-dev distcc icecc parallel
  rocm-device-libs
)

# The extension for Visual Studio Code is built with npm; some nodejs packages
# bring it along, and then Debian's cannot be installed beside them.
command -v npm >/dev/null || PACKAGES+=(nodejs npm)

install_packages() {
  local missing=() package
  for package in "${PACKAGES[@]}"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null |
      grep -q 'ok installed' || missing+=("$package")
  done
  if [ ${#missing[@]} -eq 0 ]; then
    say "packages: all ${#PACKAGES[@]} are installed"
    return
  fi
  local sudo=
  if [ "$(id -u)" -ne 0 ]; then
    sudo=sudo
    command -v sudo >/dev/null || {
      echo "these packages are missing, and neither root nor sudo is at hand:" \
        "${missing[*]}" >&2
      exit 1
    }
  fi
  say "installing ${missing[*]}"
  $sudo apt-get update -q
  $sudo env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends "${missing[@]}"
}

# configure [CMAKE ARGUMENTS]: keeps what an existing build folder was set to.
configure() {
  say "configuring $BUILD"
  local generator=()
  [ -f "$BUILD/CMakeCache.txt" ] ||
    generator=(-G Ninja -DCMAKE_BUILD_TYPE=Release
      -DCMAKE_C_COMPILER=clang-19 -DCMAKE_CXX_COMPILER=clang++-19)
  cmake -S "$ROOT" -B "$BUILD" "${generator[@]}" "$@"
}

# build [TARGET...]
build() {
  say "building with $JOBS jobs"
  local targets=()
  [ $# -eq 0 ] || targets=(--target "$@")
  cmake --build "$BUILD" -j "$JOBS" "${targets[@]}"
}
