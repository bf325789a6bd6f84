import type { WhyNot } from '../../device/types.ts'

export type Saying = WhyNot['absence']['compared'][number]['said'][number]

/**
 * How a memory has something that is asked for, in words: `went`, `related trip`, and what turns near by have of it.
 * `asked` is the word of the query.
 */
export function sayingsText(sayings: readonly Saying[], asked: string): string {
  const own = sayings.filter(({ turn }) => turn === 0).map(ownText)
  const near = sayings.filter(({ turn }) => turn !== 0).map((one) => nearText(one, asked))
  const parts = [...new Set(own)]
  return near.length === 0 ? parts.join(', ') : [...parts, `near by ${[...new Set(near)].join(', ')}`].join('; ')
}

function ownText({ as, word, written = word }: Saying): string {
  if (as === 'speaker') return `${written} speaks`
  if (as === 'about') return `about ${written}`
  if (as === 'date') return 'its date'
  return as === 'related' ? `related ${written}` : written
}

function nearText({ as, word }: Saying, asked: string): string {
  if (as === 'word') return asked
  return as === 'related' ? `related ${word}` : word
}
