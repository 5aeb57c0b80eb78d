# complete.bash COMPLETION WORD...: what bash offers for the last of these words,
# one a line, sorted. As in bash, '=' is a word of its own.
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_gpu_estimate
[ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\n' "${COMPREPLY[@]}" | sort
