# bash completion for gpu-estimate. Written by gpu-estimate-docs.

_gpu_estimate() {
  local cur=${COMP_WORDS[COMP_CWORD]} option= command=${COMP_WORDS[1]}
  local words= files= folders= i
  if [ "$cur" = = ]; then # --gpu=
    cur= option=${COMP_WORDS[COMP_CWORD - 1]}
  elif [ "${COMP_WORDS[COMP_CWORD - 1]}" = = ]; then # --gpu=nv
    option=${COMP_WORDS[COMP_CWORD - 2]}
  else
    option=${COMP_WORDS[COMP_CWORD - 1]}
  fi
  COMPREPLY=()
