  esac
  if [ -n "$words" ]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
    [[ ${COMPREPLY[0]} = --*= ]] && compopt -o nospace 2> /dev/null
  fi
  if [ -n "$files$folders" ]; then # names may have blanks
    compopt -o filenames 2> /dev/null
    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(
      if [ "$files" = '*' ]; then
        compgen -f -- "$cur"
      else
        for i in $files; do
          compgen -f -X "!*.$i" -- "$cur"
        done
        compgen -d -- "$cur"
      fi
    )
  fi
}
complete -F _gpu_estimate gpu-estimate
