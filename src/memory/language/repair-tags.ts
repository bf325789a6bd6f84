import {
  atLeast,
  demonstrative,
  fixedWord,
  hyphenated,
  markedLetters,
  nameInside,
  nounAfterDeterminer,
  nounAfterPreposition,
  numberAbout,
  participleBeforeNoun,
  possessiveMark,
  wordPairs
} from './noun-tag-rules.ts'
import type { Tag, TagRule, Token } from './token.ts'
import {
  auxiliaryAsMain,
  commonVerbAfterName,
  gerundAtStart,
  isNotHas,
  pastAfterName,
  sayAfterPlural,
  secondVerb,
  toBeforeVerb,
  verbAfterAuxiliary,
  verbAfterName,
  verbAfterPlural,
  verbAfterPronoun,
  verbAfterThat,
  verbAfterTo,
  verbBeforeThat,
  verbInList
} from './verb-tag-rules.ts'

/**
 * The tags of a sentence with the tagger's commonest mistakes mended by what stands around a word, in the manner of
 * Brill's transformation rules (https://aclanthology.org/A92-1021). The tokens themselves stay as they are.
 */
export function repairTags(tokens: readonly Token[]): Tag[] {
  const tags = tokens.map((token) => token.tag)
  for (let i = 0; i < tokens.length; i++) {
    const place = { tokens, tags, i }
    for (const rule of RULES) {
      const mended = rule(place)
      if (mended !== undefined) tags[i] = mended
    }
  }
  return tags
}

/** In this order; each sees what those before it, and all of them on the words before, have mended. */
const RULES: readonly TagRule[] = [
  markedLetters,
  possessiveMark,
  fixedWord,
  nameInside,
  hyphenated,
  demonstrative,
  toBeforeVerb,
  verbAfterAuxiliary,
  verbAfterTo,
  nounAfterDeterminer,
  nounAfterPreposition,
  numberAbout,
  atLeast,
  wordPairs,
  isNotHas,
  commonVerbAfterName,
  secondVerb,
  pastAfterName,
  sayAfterPlural,
  verbAfterPlural,
  verbInList,
  verbBeforeThat,
  gerundAtStart,
  verbAfterThat,
  participleBeforeNoun,
  verbAfterPronoun,
  verbAfterName,
  auxiliaryAsMain
]
