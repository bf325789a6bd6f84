import { LIVE_VALUES } from '../../command/command.ts'
import { type CompletionPlace, SHARED_FLAGS, type Value } from './completion-table.ts'

/** Returns the completion script for bash 3.2 and later. The script for zsh uses the same tables. */
export function bashScript(places: readonly CompletionPlace[]): string {
  return `# Completion of memctl in bash. Made by: memctl completion bash
${shellTables(places)}
_memctl_paths() {
  local line
  compopt -o filenames 2>/dev/null
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$1" -- "$cur")
}

_memctl_words() {
  local one list
  read -ra list <<< "$1"
  for one in "\${list[@]}"; do
    if [[ $one == "$cur"* ]]; then COMPREPLY+=("$one"); fi
  done
}

_memctl_live() {
  local line value head typed
  [[ $cur == [=:@] ]] && cur=''
  head=\${COMP_LINE:0:COMP_POINT}
  value=\${head##*[[:space:]]}
  read -ra typed <<< "\${head%"$value"}"
  head=$value
  [[ $head == -*=* ]] && head=\${head#*=}
  head=\${head%"$cur"}
  while IFS= read -r line; do
    value=\${line%%$'\\t'*}
    [[ $value == "$head$cur"* ]] || continue
    printf -v value %q "\${value#"$head"}"
    COMPREPLY+=("$value")
  done < <(command memctl ${LIVE_VALUES} "$1" -- "\${typed[@]}" 2>/dev/null)
}

_memctl_complete() {
  case $1 in
    @file) _memctl_paths -f ;;
    @folder) _memctl_paths -d ;;
    @other) ;;
    @*) _memctl_live "\${1#@}" ;;
    *) _memctl_words "$1" ;;
  esac
}

_memctl() {
  local cur=\${COMP_WORDS[COMP_CWORD]} where='' pending='' word i value commands flags operands
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ -n $pending ]]; then
      [[ $word == = ]] || pending=''
    elif [[ $word == -* ]]; then
      _memctl_value "$where:$word"
      pending=$value
    else
      _memctl_enter "$where" "$word"
    fi
  done
  if [[ -n $pending ]]; then
    [[ $cur == = ]] && cur=''
    _memctl_complete "$pending"
    return
  fi
  _memctl_place "$where"
  if [[ $cur == -* ]]; then
    _memctl_words "$flags"
  else
    _memctl_complete "\${commands:-$operands}"
  fi
}

complete -F _memctl memctl
`
}

/** Returns the lookup tables of bash and zsh: where a word leads, what a flag takes, and what can follow at a place. */
export function shellTables(places: readonly CompletionPlace[]): string {
  return `_memctl_enter() {
  case "$1:$2" in
${places.flatMap(enterLines).join('\n')}
  esac
}

_memctl_value() {
  case $1 in
${valueLines(places).join('\n')}
    *) value='' ;;
  esac
}

_memctl_place() {
  case $1 in
${places.map(placeLine).join('\n')}
  esac
}
`
}

function enterLines({ path, commands }: CompletionPlace): string[] {
  return commands.map(({ name }) => {
    const there = path === '' ? name : `${path} ${name}`
    return `    ${quoteForBash(`${path}:${name}`)}) where=${quoteForBash(there)} ;;`
  })
}

function valueLines(places: readonly CompletionPlace[]): string[] {
  const lines = places.flatMap(({ path, flags }) =>
    flags
      .filter((flag) => flag.value !== undefined && !SHARED_FLAGS.includes(flag))
      .flatMap(({ forms, value }) =>
        forms.map((form) => `    ${quoteForBash(`${path}:${form}`)}) value=${quoteForBash(valueText(value))} ;;`)
      )
  )
  const shared = SHARED_FLAGS.filter(({ value }) => value !== undefined).flatMap(({ forms, value }) =>
    forms.map((form) => `    *:${form}) value=${quoteForBash(valueText(value))} ;;`)
  )
  return [...lines, ...shared]
}

function placeLine({ path, commands, flags, words }: CompletionPlace): string {
  const names = commands.map(({ name }) => name).join(' ')
  const forms = flags.flatMap((flag) => flag.forms).join(' ')
  const set = `commands=${quoteForBash(names)} flags=${quoteForBash(forms)} operands=${quoteForBash(valueText(words))}`
  return `    ${quoteForBash(path)}) ${set} ;;`
}

/** Returns a kind of value behind a sign that no word begins with, or the words themselves. */
function valueText(value: Value | undefined): string {
  return typeof value === 'object' ? value.join(' ') : `@${value ?? 'other'}`
}

/** Quotes a word for bash, zsh and compatible shells. */
export function quoteForBash(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
