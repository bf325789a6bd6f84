import { LIVE_VALUES } from '../../command/command.ts'
import { type CompletionFlag, type CompletionPlace, SHARED_FLAGS, type Value } from './completion-table.ts'

/** Returns the completion script for fish. */
export function fishScript(places: readonly CompletionPlace[]): string {
  const paths = places.map(({ path }) => path).filter((path) => path !== '')
  const lines = [...SHARED_FLAGS.map((flag) => flagLine(flag)), ...places.flatMap((place) => placeLines(place))]
  return `# Completion of memctl in fish. Made by: memctl completion fish
set -g __memctl_paths ${paths.map(quoteForFish).join(' ')}
set -g __memctl_valued ${listValuedFlags(places).map(quoteForFish).join(' ')}

function __memctl_at --description 'whether the words so far lead there'
    set -l where
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip -eq 1
            set skip 0
        else if string match -q -- '-*' $word
            contains -- "$where:$word" $__memctl_valued; or contains -- "*:$word" $__memctl_valued; and set skip 1
        else
            set -l there (string trim -- "$where $word")
            contains -- $there $__memctl_paths; and set where $there
        end
    end
    test "$where" = "$argv[1]"
end

complete -c memctl -f
${lines.join('\n')}
`
}

function placeLines({ path, commands, flags, words }: CompletionPlace): string[] {
  const operands = commands.length === 0 && words !== 'other' ? [operandLine(path, words)] : []
  return [
    ...commands.map(({ name, about }) => `${start(path)} -a ${quoteForFish(name)} -d ${quoteForFish(about)}`),
    ...flags.filter((flag) => !SHARED_FLAGS.includes(flag)).map((flag) => flagLine(flag, path)),
    ...operands
  ]
}

function operandLine(path: string, words: Value): string {
  return `${start(path)} ${valueWords(words)}`
}

function flagLine({ forms, about, value }: CompletionFlag, path?: string): string {
  const names = forms.map((form) => (form.startsWith('--') ? `-l ${form.slice(2)}` : `-s ${form.slice(1)}`))
  const takes = value === undefined ? [] : ['-r', valueWords(value)]
  return [start(path), ...names, ...takes, `-d ${quoteForFish(about)}`].join(' ')
}

function start(path: string | undefined): string {
  return path === undefined
    ? 'complete -c memctl'
    : `complete -c memctl -n ${quoteForFish(`__memctl_at ${quoteForFish(path)}`)}`
}

function valueWords(value: Value): string {
  if (value === 'file') return '-F'
  if (value === 'folder') return `-f -a ${quoteForFish('(__fish_complete_directories)')}`
  if (value === 'other') return '-f'
  if (typeof value === 'string')
    return `-f -a ${quoteForFish(`(command memctl ${LIVE_VALUES} ${value} -- (commandline -opc) 2>/dev/null)`)}`
  return `-f -a ${quoteForFish(value.map(escapeForExpansion).join(' '))}`
}

/** Lists flags with a value as `place:flag`, and the global ones as `*:flag`. */
function listValuedFlags(places: readonly CompletionPlace[]): string[] {
  const shared = SHARED_FLAGS.filter(({ value }) => value !== undefined).flatMap(({ forms }) => forms)
  const own = places.flatMap(({ path, flags }) =>
    flags
      .filter((flag) => flag.value !== undefined && !SHARED_FLAGS.includes(flag))
      .flatMap(({ forms }) => forms.map((form) => `${path}:${form}`))
  )
  return [...shared.map((form) => `*:${form}`), ...own]
}

/** Escapes a word that fish expands again when it offers it. */
function escapeForExpansion(word: string): string {
  return /^[\w.-]+$/.test(word) ? word : quoteForFish(word)
}

function quoteForFish(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}
