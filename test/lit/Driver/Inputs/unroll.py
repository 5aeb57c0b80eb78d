"""What the kernel of a JSON report executes, and what of it is assumed."""
import json
import sys

estimate = json.load(open(sys.argv[1]))["estimates"][0]
executed = estimate["counts"]["by_class"]
print(f"{executed['load_shared']} shared loads, {executed['fp32_fma']} "
      f"multiply-adds, assumed: {[a['what'] for a in estimate['assumptions']]}")
