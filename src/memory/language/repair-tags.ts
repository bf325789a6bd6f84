import {
  BETWEEN_WORDS,
  FIXED_TAGS,
  PLACED_WORDS,
  SHORT_BECAUSE,
  tagAboutBeforeNumber,
  tagAtLeast,
  tagBetweenWords,
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
  tagNounAfterThat,
  tagNounBeforeAuxiliary,
  tagNounBeforeOf,
  tagParticipleBeforeNoun,
  tagPossessiveMark,
  tagShortBecause,
  tagWordPairs
} from './noun-tag-rules.ts'
import type { Sentence, Tag, TagRule, Token, TokenPlace } from './token.ts'
import {
  tagAdjectiveAfterBe,
  tagAuxiliaryAsMain,
  tagCommonVerbAfterName,
  tagGerundAtStart,
  tagIsNotHas,
  tagLastBeforePast,
  tagMattersTo,
  tagNameAfterOwned,
  tagParticipleAfterDegree,
  tagPastAfterName,
  tagPastAtStart,
  tagPastBeforeGerund,
  tagPastInList,
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
 * Brill's transformation rules (https://aclanthology.org/A92-1021). The tokens stay unchanged. Facts and events read
 * the same sentences, so the tags are computed once.
 */
export function repairTags(sentence: Sentence): readonly Tag[] {
  sentence.tags ??= correctTags(sentence.tokens)
  return sentence.tags
}

function correctTags(tokens: readonly Token[]): readonly Tag[] {
  const tags = tokens.map((token) => token.tag)
  for (let i = 0; i < tokens.length; i++) repairTag({ tokens, tags, i })
  return tags
}

/** Applies the rules that may hold for a token. After a correction, those for its new tag follow. */
function repairTag(place: TokenPlace): void {
  const { tokens, tags, i } = place
  const { lower } = tokens[i] as Token
  const steps = WORD_STEPS.get(lower) ?? PLAIN_STEPS
  let next = steps.get(tags[i] as Tag) ?? addSteps(steps, tags[i] as Tag, lower)
  for (let at = next[0] as number; at < RULES.length; at = next[at + 1] as number) {
    const corrected = (RULES[at] as ScopedRule).apply(place)
    if (corrected === undefined) continue
    next = steps.get(corrected) ?? addSteps(steps, corrected, lower)
    tags[i] = corrected
  }
}

/** A rule with the only tags, or the only words, that it may correct. */
type ScopedRule = { apply: TagRule; tags?: readonly Tag[]; words?: ReadonlySet<string> }

/** Applied in this order. Each rule sees the corrections of the rules before it, and of all rules on earlier words. */
const RULES: readonly ScopedRule[] = [
  { apply: tagMarkedLetters },
  { apply: tagPossessiveMark, words: new Set(["'", '’']) },
  { apply: tagFixedWord, words: new Set(FIXED_TAGS.keys()) },
  { apply: tagVerbAfterSlurred, tags: ['NOUN'] },
  { apply: tagNameAfterOwned, tags: ['VERB'] },
  { apply: tagWishAfterPlural, tags: ['NOUN'] },
  { apply: tagNameInside, tags: ['VERB', 'ADJ', 'ADV', 'NOUN'] },
  { apply: tagHyphenatedWord, tags: ['VERB'] },
  { apply: tagCompoundStart, tags: ['ADP', 'ADV'] },
  { apply: tagDemonstrative, words: new Set(['that', 'this', 'such']) },
  { apply: tagToBeforeVerb, words: new Set(['to']) },
  { apply: tagVerbAfterAuxiliary, tags: ['NOUN', 'ADJ'] },
  { apply: tagVerbAfterTo, tags: ['NOUN'] },
  { apply: tagNounAfterDeterminer, tags: ['VERB'] },
  { apply: tagNounAfterThat, tags: ['VERB'] },
  { apply: tagNounAfterHave, tags: ['VERB'] },
  { apply: tagNounAfterPreposition, tags: ['VERB'] },
  { apply: tagNounBeforeOf, tags: ['VERB'] },
  { apply: tagNounBeforeAuxiliary, words: new Set(['key']) },
  { apply: tagAboutBeforeNumber, tags: ['ADP'] },
  { apply: tagAtLeast, words: new Set(['at', 'least', 'most']) },
  { apply: tagWordPairs, words: new Set(['all', 'both', 'according', 'no', 'longer']) },
  { apply: tagByPlace, words: PLACED_WORDS },
  { apply: tagBetweenWords, words: BETWEEN_WORDS },
  { apply: tagShortBecause, words: SHORT_BECAUSE },
  { apply: tagLastBeforePast, words: new Set(['last']) },
  { apply: tagIsNotHas, words: new Set(["'s"]) },
  { apply: tagMattersTo, words: new Set(['matters']) },
  { apply: tagPastBeforeGerund, tags: ['ADJ'] },
  { apply: tagCommonVerbAfterName, tags: ['NOUN'] },
  { apply: tagSecondVerb, tags: ['NOUN'] },
  { apply: tagPastAfterName, tags: ['ADJ'] },
  { apply: tagSayAfterPlural, tags: ['NOUN'] },
  { apply: tagVerbAfterPlural, tags: ['NOUN'] },
  { apply: tagVerbInList, tags: ['NOUN'] },
  { apply: tagVerbBeforeThat, tags: ['NOUN'] },
  { apply: tagGerundAtStart, tags: ['NOUN', 'PROPN'] },
  { apply: tagPastAtStart, tags: ['PROPN'] },
  { apply: tagPastInList, tags: ['ADJ'] },
  { apply: tagParticipleAfterDegree, tags: ['VERB'] },
  { apply: tagAdjectiveAfterBe, tags: ['VERB'] },
  { apply: tagVerbAfterThat, tags: ['NOUN'] },
  { apply: tagParticipleBeforeNoun, tags: ['VERB'] },
  { apply: tagVerbAfterPronoun, tags: ['NOUN', 'ADJ'] },
  { apply: tagVerbAfterName, tags: ['NOUN'] },
  { apply: tagAuxiliaryAsMain, tags: ['VERB'] }
]

/** By tag, the next rule that may apply, from each rule on. */
type Steps = Map<Tag, readonly number[]>

/** For the words of rules for certain words. */
const WORD_STEPS: ReadonlyMap<string, Steps> = new Map(
  RULES.flatMap(({ words = [] }) => [...words].map((word) => [word, new Map()]))
)
const PLAIN_STEPS: Steps = new Map()

function addSteps(steps: Steps, own: Tag, word: string): readonly number[] {
  const next = [RULES.length]
  for (let at = RULES.length - 1; at >= 0; at--) {
    const { tags, words } = RULES[at] as ScopedRule
    const mayApply = tags?.includes(own) !== false && words?.has(word) !== false
    next.unshift(mayApply ? at : (next[0] as number))
  }
  steps.set(own, next)
  return next
}
