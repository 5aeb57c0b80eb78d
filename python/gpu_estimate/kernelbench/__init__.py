"""Verifies a solution of a KernelBench problem without a GPU (docs/kernelbench.md):
`gpu-estimate kernelbench REFERENCE.py SOLUTION.py --gpu ...`."""
