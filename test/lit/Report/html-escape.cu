// What a source says is text: names, lines, messages and the name of the file
// can hold markup and never become it.
//
// RUN: mkdir -p %t.dir && cp %s "%t.dir/a<b>&'c'.cu"
// RUN: %analyze "%t.dir/a<b>&'c'.cu" --gpu nvidia-v100 --grid 64 --block 128 --format html -o %t.html --charts %t.charts
// RUN: FileCheck %s --input-file %t.html
// RUN: python3 %S/Inputs/markup.py %t.html | FileCheck %s --check-prefix=MARKUP
// RUN: %analyze "%t.dir/a<b>&'c'.cu" --gpu nvidia-v100 --grid 64 --block 128 --param nobody=3 --format html 2>/dev/null \
// RUN:   | FileCheck %s --check-prefix=NOTICE
// RUN: ls %t.charts | FileCheck %s --check-prefix=FILES
//
// CHECK: <h2>scale&lt;Pair&lt;float, &#39;{{.*}}&gt;&gt; on NVIDIA Tesla V100 PCIe</h2>
// CHECK: a&lt;b&gt;&amp;&#39;c&#39;.cu
// CHECK: &lt;/code&gt;&lt;/td&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;!-- &amp;amp; --&gt;
// MARKUP: 3 script, 0 img, 0 iframe, all closed
// NOTICE: nobody
// FILES: 1-scalePairfloat-nvidia-v100-roofline.svg

template <typename T, char Mark> struct Pair { T value; };

template <typename P>
__global__ void scale(P *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i].value *= 2.0f; // </code></td><script>alert(1)</script><!-- &amp; -->
}

template __global__ void scale<Pair<float, '\''>>(Pair<float, '\''> *, int);
