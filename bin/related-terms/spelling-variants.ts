import type { WordNet } from './read-wordnet.ts'
import { singleTerm, type TermSenses } from './term-senses.ts'
import type { Forms } from './word-forms.ts'

/**
 * Terms of words that are spelled in two ways: words of one meaning whose spellings differ as British and American ones do.
 * A pair counts by how far the terms are used for what they have in common: organise is organize, but what is left of
 * organize by its stem is left of an organ too.
 */
export function spellingVariants(wordnet: WordNet, senses: TermSenses): Forms {
  const found = new Map<string, Map<string, number>>()
  for (const synset of wordnet.synsets.values()) {
    for (const [one, other] of pairUp(synset.words)) {
      const row = found.get(one) ?? new Map<string, number>()
      found.set(one, row)
      if (!row.has(other)) row.set(other, commonUse(senses, one, other) * commonUse(senses, other, one))
    }
  }
  return found
}

/** Terms of words with one levelled spelling, each with each, both ways. */
function pairUp(words: readonly string[]): [string, string][] {
  const spelled = words.flatMap((word) => {
    const term = singleTerm(word)
    return term === undefined ? [] : [{ term, spelling: levelSpelling(word) }]
  })
  return spelled.flatMap(({ term, spelling }) =>
    spelled
      .filter((other) => other.spelling === spelling && other.term !== term)
      .map((other): [string, string] => [term, other.term])
  )
}

/**
 * What differs between the spellings, made equal: colour, centre, catalogue, programme, judgement, grey, anaemia, mould,
 * tyre, sulphur, organise and defence, traveller. Words that mean different things may become equal; they are only
 * compared within a meaning.
 */
const LEVELLING: readonly (readonly [RegExp, string])[] = [
  [/re$/, 'er'],
  [/gue$/, 'g'],
  [/mme$/, 'm'],
  [/gement/, 'gment'],
  [/ey$/, 'ay'],
  [/[ao]e/g, 'e'],
  [/ou/g, 'o'],
  [/y/g, 'i'],
  [/ph/g, 'f'],
  [/[cs]/g, 'z'],
  [/(.)\1/g, '$1']
]

function levelSpelling(word: string): string {
  return LEVELLING.reduce((spelling, [from, to]) => spelling.replace(from, to), word)
}

/** The part of the use of `one` in meanings that `other` has too. */
function commonUse({ shares }: TermSenses, one: string, other: string): number {
  let part = 0
  for (const [synset, share] of shares.get(one) ?? []) {
    if (shares.get(other)?.has(synset)) part += share
  }
  return part
}
