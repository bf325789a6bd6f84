import type { WhyNot } from '../../device/types.ts'

type Saying = WhyNot['absence']['compared'][number]['said'][number]

/** How a memory has what is asked for, in words: `went, related: trip, in the turn before: go`. */
export function sayingsText(sayings: readonly Saying[]): string {
  const parts = sayings.filter(({ turn }) => turn === 0).map(ownText)
  const around = [...new Set(sayings.filter(({ turn }) => turn !== 0).map(nearText))]
  return [...new Set(parts), ...around].join(', ')
}

function ownText({ as, word, written }: Saying): string {
  const said = written ?? word
  if (as === 'speaker') return `${said} speaks`
  if (as === 'about') return `about ${said}`
  if (as === 'date') return 'its date'
  return as === 'related' ? `related: ${said}` : said
}

function nearText({ as, word, turn }: Saying): string {
  const where = TURNS[turn] ?? 'near by'
  return `${as === 'related' ? `related: ${word}` : word} ${where}`
}

const TURNS: Readonly<Record<number, string>> = {
  [-2]: 'two turns before',
  [-1]: 'one turn before',
  1: 'one turn after',
  2: 'two turns after'
}
