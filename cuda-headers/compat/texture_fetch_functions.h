/// \file
/// Deliberately empty. clang 19 includes a header of this name from every CUDA
/// SDK; version 13 of the SDK no longer has it, and nothing in it is needed.
