#!/bin/sh
# Stands for cvise: TEST FILE. Drops the last line, which the error does not need,
# and checks that the test refuses a file without the error.
set -e
test=$1 file=$2
cp "$file" whole
echo '__global__ void f(float *x) { x[0] = another_name; }' >"$file"
! "$test"
sed '$d' whole >"$file"
"$test"
