import { LIVE_VALUES } from '../../command/command.ts'
import { quoteForBash, shellTables } from './bash-script.ts'
import type { CompletionPlace } from './completion-table.ts'

/** Returns the completion script for zsh, for a file named _memctl in `fpath` or for evaluation at start-up. */
export function zshScript(places: readonly CompletionPlace[]): string {
  return `#compdef memctl
# Completion of memctl in zsh. Made by: memctl completion zsh
${shellTables(places)}
_memctl_described() {
  case $1 in
${places.map(formatPlace).join('\n')}
  esac
}

_memctl_live() {
  local -a lines values
  local line
  lines=("\${(@f)$(command memctl ${LIVE_VALUES} $1 -- "\${(@)words[1,CURRENT-1]}" 2>/dev/null)}")
  for line in $lines; do
    values+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  _describe value values
}

_memctl_complete() {
  case $1 in
    @file) _files ;;
    @folder) _files -/ ;;
    @other) return 1 ;;
    @*) _memctl_live \${1#@} ;;
    *) compadd -- \${=1} ;;
  esac
}

_memctl() {
  local where='' pending='' word value commands flags operands
  local -a found options
  integer i
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
    if [[ -n $pending ]]; then
      pending=''
    elif [[ $word == -* ]]; then
      _memctl_value "$where:$word"
      pending=$value
    else
      _memctl_enter "$where" "$word"
    fi
  done
  if [[ -z $pending && $PREFIX == --*=* ]]; then
    _memctl_value "$where:\${PREFIX%%=*}"
    pending=\${value:-@other}
    compset -P 1 '*='
  fi
  if [[ -n $pending ]]; then
    _memctl_complete "$pending"
    return
  fi
  _memctl_place "$where"
  _memctl_described "$where"
  if [[ $PREFIX == -* ]]; then
    _describe -o option options
  elif [[ -n $commands ]]; then
    _describe command found
  else
    _memctl_complete "$operands"
  fi
}

if [[ $funcstack[1] == _memctl ]]; then
  _memctl "$@"
else
  compdef _memctl memctl
fi
`
}

function formatPlace({ path, commands, flags }: CompletionPlace): string {
  const found = commands.map(({ name, about }) => formatDescription(name, about))
  const options = flags.flatMap(({ forms, about }) => forms.map((form) => formatDescription(form, about)))
  return `    ${quoteForBash(path)})
      found=(${found.join(' ')})
      options=(${options.join(' ')}) ;;`
}

function formatDescription(name: string, about: string): string {
  return quoteForBash(`${name}:${about.replace(/[\\:]/g, '\\$&')}`)
}
