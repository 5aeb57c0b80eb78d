"""PyTorch on a card that is a file (docs/pytorch.md): tensors on "cuda" live on
the CPU or have no data, and the program has the time line and the memory of the
modelled card. allocator.py and prices.py need no torch."""
