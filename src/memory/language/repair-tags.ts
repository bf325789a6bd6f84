import {
  tagAboutBeforeNumber,
  tagAtLeast,
  tagByPlace,
  tagCompoundStart,
  tagDemonstrative,
  tagFixedWord,
  tagHyphenatedWord,
  tagMarkedLetters,
  tagNameInside,
  tagNounAfterDeterminer,
  tagNounAfterHave,
  tagNounAfterPreposition,
  tagParticipleBeforeNoun,
  tagPossessiveMark,
  tagShortBecause,
  tagWordPairs
} from './noun-tag-rules.ts'
import type { Tag, TagRule, Token } from './token.ts'
import {
  tagAuxiliaryAsMain,
  tagCommonVerbAfterName,
  tagGerundAtStart,
  tagIsNotHas,
  tagLastBeforePast,
  tagMattersTo,
  tagNameAfterOwned,
  tagPastAfterName,
  tagPastBeforeGerund,
  tagSayAfterPlural,
  tagSecondVerb,
  tagToBeforeVerb,
  tagVerbAfterAuxiliary,
  tagVerbAfterName,
  tagVerbAfterPlural,
  tagVerbAfterPronoun,
  tagVerbAfterSlurred,
  tagVerbAfterThat,
  tagVerbAfterTo,
  tagVerbBeforeThat,
  tagVerbInList,
  tagWishAfterPlural
} from './verb-tag-rules.ts'

/**
 * Returns the tags of a sentence after correcting the tagger's most frequent errors by context, in the manner of
 * Brill's transformation rules (https://aclanthology.org/A92-1021). The tokens stay unchanged.
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

/** Applied in this order. Each rule sees the corrections of the rules before it, and of all rules on earlier words. */
const RULES: readonly TagRule[] = [
  tagMarkedLetters,
  tagPossessiveMark,
  tagFixedWord,
  tagVerbAfterSlurred,
  tagNameAfterOwned,
  tagWishAfterPlural,
  tagNameInside,
  tagHyphenatedWord,
  tagCompoundStart,
  tagDemonstrative,
  tagToBeforeVerb,
  tagVerbAfterAuxiliary,
  tagVerbAfterTo,
  tagNounAfterDeterminer,
  tagNounAfterHave,
  tagNounAfterPreposition,
  tagAboutBeforeNumber,
  tagAtLeast,
  tagWordPairs,
  tagByPlace,
  tagShortBecause,
  tagLastBeforePast,
  tagIsNotHas,
  tagMattersTo,
  tagPastBeforeGerund,
  tagCommonVerbAfterName,
  tagSecondVerb,
  tagPastAfterName,
  tagSayAfterPlural,
  tagVerbAfterPlural,
  tagVerbInList,
  tagVerbBeforeThat,
  tagGerundAtStart,
  tagVerbAfterThat,
  tagParticipleBeforeNoun,
  tagVerbAfterPronoun,
  tagVerbAfterName,
  tagAuxiliaryAsMain
]
