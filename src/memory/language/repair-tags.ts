import type { Tag, Token } from './token.ts'
import { isIrregularForm, mayBeParticiple, verbForm } from './verb-forms.ts'

/**
 * The tags of a sentence with the tagger's commonest mistakes mended by what stands around a word, in the manner of
 * Brill's transformation rules (https://aclanthology.org/A92-1021). The tokens themselves stay as they are.
 */
export function repairTags(tokens: readonly Token[]): Tag[] {
  const tags = tokens.map((token) => token.tag)
  for (let i = 0; i < tokens.length; i++) {
    for (const rule of RULES) {
      const tag = rule({ tokens, tags, i })
      if (tag !== undefined) tags[i] = tag
    }
  }
  return tags
}

type Place = { tokens: readonly Token[]; tags: Tag[]; i: number }
type Rule = (place: Place) => Tag | undefined

const RULES: readonly Rule[] = [
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
  isNotHas,
  verbAfterPlural,
  verbAfterThat,
  participleBeforeNoun,
  verbAfterPronoun,
  verbAfterName,
  auxiliaryAsMain
]

const word = ({ tokens, i }: Place, offset = 0) => tokens[i + offset]?.lower ?? ''
const tag = ({ tags, i }: Place, offset = 0) => tags[i + offset]

/** `@`, `#` and emoji are no words of a phrase, whatever the tagger thinks of them. */
function markedLetters(place: Place): Tag | undefined {
  const text = word(place)
  if (tag(place) === 'PUNCT' || tag(place) === 'SYM' || /[\p{L}\p{N}]/u.test(text)) return undefined
  return 'PUNCT'
}

/** "the players**'** union": an apostrophe after a plural, before what is owned. */
function possessiveMark(place: Place): Tag | undefined {
  const mark = word(place)
  if ((mark !== "'" && mark !== '’') || !/s$/.test(word(place, -1)) || word(place, -1) === "'s") return undefined
  const owned = tag(place, 1)
  const isOwner = tag(place, -1) === 'NOUN' || tag(place, -1) === 'PROPN'
  return isOwner && (owned === 'NOUN' || owned === 'ADJ') && !hasQuoteOpen(place) ? 'PART' : undefined
}

/** Whether the same mark stands alone before, and so may be an opening quote. */
function hasQuoteOpen({ tokens, i }: Place): boolean {
  for (let at = i - 1; at >= Math.max(0, i - 12); at--)
    if (tokens[at]?.lower === "'" || tokens[at]?.lower === '‘' || tokens[at]?.lower === '`') return true
  return false
}

/** "Maple Street **Crossing** became …": a capital inside a sentence, beside a name, is part of it. */
function nameInside(place: Place): Tag | undefined {
  const own = tag(place)
  if (place.i === 0 || (own !== 'VERB' && own !== 'ADJ' && own !== 'ADV' && own !== 'NOUN')) return undefined
  const text = place.tokens[place.i]?.text ?? ''
  if (!/^\p{Lu}\p{Ll}/u.test(text)) return undefined
  const before = tag(place, -1)
  if (own === 'NOUN' || own === 'ADJ')
    return before === 'PROPN' && isCapital(place, -1) && own === 'NOUN' ? 'PROPN' : undefined
  return (before === 'PROPN' && isCapital(place, -1) && place.i > 1) ||
    (tag(place, 1) === 'PROPN' && before !== 'PUNCT' && before !== 'CCONJ')
    ? 'PROPN'
    : undefined
}

function isCapital({ tokens, i }: Place, offset: number): boolean {
  return /^\p{Lu}/u.test(tokens[i + offset]?.text ?? '')
}

/** "a snow-**covered** roof": what a hyphen ties to the word before is no verb. */
function hyphenated(place: Place): Tag | undefined {
  if (tag(place) !== 'VERB' || word(place, -1) !== '-' || place.i < 2) return undefined
  const { tokens, i } = place
  const isTied = tokens[i - 1]?.end === tokens[i]?.start && tokens[i - 2]?.end === tokens[i - 1]?.start
  return isTied || ((tag(place, 1) === 'NOUN' || tag(place, 1) === 'PROPN') && verbForm(word(place)) !== 'base')
    ? 'ADJ'
    : undefined
}

/** "**That** method works": before a noun, at the start, `that` points. */
function demonstrative(place: Place): Tag | undefined {
  const lower = word(place)
  if (lower !== 'that' && lower !== 'this' && lower !== 'such') return undefined
  const next = tag(place, 1)
  if (lower === 'such') return next === 'DET' ? 'DET' : undefined
  if (place.i > 0 && lower === 'that') return undefined
  if (next === 'NOUN' && verbForm(word(place, 1)) === 'present') return 'PRON'
  return next === 'NOUN' || (next === 'ADJ' && tag(place, 2) === 'NOUN') ? 'DET' : undefined
}

/** "His car is **like** mine, **so** he waits": words whose tag is always the same. */
function fixedWord(place: Place): Tag | undefined {
  return FIXED.get(word(place))
}

const FIXED = new Map<string, Tag>([
  ["n't", 'PART'],
  ['not', 'PART'],
  ['never', 'ADV'],
  ['and', 'CCONJ'],
  ['or', 'CCONJ'],
  ['but', 'CCONJ'],
  ['&', 'CCONJ'],
  ['although', 'SCONJ'],
  ['because', 'SCONJ'],
  ['if', 'SCONJ'],
  ['unless', 'SCONJ'],
  ['whether', 'SCONJ'],
  ['whereas', 'SCONJ'],
  ['the', 'DET'],
  ['a', 'DET'],
  ['an', 'DET'],
  ['i', 'PRON'],
  ['he', 'PRON'],
  ['she', 'PRON'],
  ['they', 'PRON'],
  ['we', 'PRON'],
  ['it', 'PRON'],
  ['him', 'PRON'],
  ['them', 'PRON'],
  ['us', 'PRON'],
  ['me', 'PRON'],
  ['yesterday', 'ADV'],
  ['today', 'ADV'],
  ['tomorrow', 'ADV'],
  ['tonight', 'ADV'],
  ['further', 'ADV'],
  ['recently', 'ADV'],
  ['really', 'ADV'],
  ['already', 'ADV'],
  ['of', 'ADP'],
  ['for', 'ADP'],
  ['who', 'PRON'],
  ['whom', 'PRON'],
  ['which', 'PRON'],
  ['during', 'ADP'],
  ['hey', 'INTJ'],
  ['btw', 'INTJ'],
  ['yep', 'INTJ'],
  ['yup', 'INTJ'],
  ['yes', 'INTJ'],
  ['haha', 'INTJ'],
  ['lol', 'INTJ'],
  ['omg', 'INTJ'],
  ['congrats', 'INTJ'],
  ['oh', 'INTJ'],
  ['aw', 'INTJ'],
  ['ugh', 'INTJ'],
  ['wow', 'INTJ'],
  ['yeah', 'INTJ'],
  ['thanks', 'INTJ'],
  ['my', 'PRON'],
  ['your', 'PRON'],
  ['their', 'PRON'],
  ['our', 'PRON'],
  ['its', 'PRON'],
  ['including', 'ADP'],
  ['gonna', 'VERB'],
  ['wanna', 'VERB'],
  ['gotta', 'VERB']
])

/** "He wants **to** leave": before a verb, `to` is no preposition. */
function toBeforeVerb(place: Place): Tag | undefined {
  if (word(place) !== 'to') return undefined
  const next = tag(place, 1)
  if (next === 'VERB' || next === 'AUX') return verbForm(word(place, 1)) === 'base' ? 'PART' : 'ADP'
  if (next === 'ADV' && tag(place, 2) === 'VERB' && verbForm(word(place, 2)) === 'base') return 'PART'
  return undefined
}

/** "She has been **painting**", "they did **walk**": what the tagger took for a noun after an auxiliary. */
function verbAfterAuxiliary(place: Place): Tag | undefined {
  const own = tag(place)
  if (own !== 'NOUN' && own !== 'ADJ') return undefined
  let back = 1
  while (back < 4 && (tag(place, -back) === 'PART' || tag(place, -back) === 'ADV')) back++
  if (tag(place, -back) !== 'AUX') return undefined
  const helper = word(place, -back)
  const next = tag(place, 1)
  const form = verbForm(word(place))
  if (MODALS.has(helper)) return form === 'base' && own === 'NOUN' ? 'VERB' : undefined
  if (BE.has(helper) && form === 'ing' && own === 'NOUN') return next === 'NOUN' ? undefined : 'VERB'
  if (BE.has(helper) && own === 'ADJ' && mayBeParticiple(word(place)) && next === 'ADP') return 'VERB'
  if (HAVE.has(helper) && mayBeParticiple(word(place)) && next !== 'NOUN') return 'VERB'
  return undefined
}

const MODALS = new Set([
  'will',
  'would',
  'can',
  'could',
  'may',
  'might',
  'must',
  'should',
  'shall',
  'ca',
  'wo',
  "'ll",
  'do',
  'does',
  'did'
])
const BE = new Set(['is', 'are', 'was', 'were', 'be', 'been', 'being', 'am', "'s", "'re", "'m"])
const HAVE = new Set(['has', 'have', 'had', "'ve"])

/** "I want to **garden**": a noun right after the `to` of a wanting verb. */
function verbAfterTo(place: Place): Tag | undefined {
  if (tag(place) !== 'NOUN' || word(place, -1) !== 'to' || tag(place, -1) !== 'PART') return undefined
  return verbForm(word(place)) === 'base' ? 'VERB' : undefined
}

/** "The **run** was long", "my **drive** home": after an article there is no finite verb. */
function nounAfterDeterminer(place: Place): Tag | undefined {
  if (tag(place) !== 'VERB') return undefined
  const before = word(place, -1)
  const next = tag(place, 1)
  const form = verbForm(word(place))
  const isBase = form === 'base'
  if (next === 'AUX' && verbForm(word(place)) === 'present' && tag(place, -1) !== 'PRON') return 'NOUN'
  if (tag(place, -1) === 'ADJ' && isBase && next === 'NOUN' && tag(place, -2) !== 'AUX' && tag(place, -2) !== 'ADV')
    return 'NOUN'
  if (tag(place, -1) === 'ADJ' && (tag(place, -2) === 'DET' || POSSESSIVE.has(word(place, -2))))
    return next === 'NOUN' || next === 'PROPN' ? 'ADJ' : 'NOUN'
  if (!ARTICLES.has(before) && !POSSESSIVE.has(before)) return undefined
  if (next === 'DET' || next === 'PRON') return undefined
  if (form === 'present') return 'NOUN'
  return next === 'NOUN' || next === 'PROPN' || next === 'ADJ' || (word(place, 1) === '-' && tag(place, 2) === 'NOUN')
    ? 'ADJ'
    : 'NOUN'
}

const ARTICLES = new Set(['the', 'a', 'an', 'this', 'these', 'those', 'every', 'each', 'some', 'any', 'no'])
const POSSESSIVE = new Set(['my', 'your', 'his', 'its', 'our', 'their', "'s"])

/** "in **works** of art": after a preposition stands no finite verb. */
function nounAfterPreposition(place: Place): Tag | undefined {
  if (tag(place) !== 'VERB' || tag(place, -1) !== 'ADP' || !TRUE_PREPOSITIONS.has(word(place, -1))) return undefined
  const form = verbForm(word(place))
  return form === 'base' || form === 'present' ? 'NOUN' : undefined
}

const TRUE_PREPOSITIONS = new Set([
  'of',
  'in',
  'with',
  'from',
  'at',
  'for',
  'into',
  'on',
  'by',
  'between',
  'during',
  'through',
  'without'
])

/** "**About** forty people came": before a number at the start, it counts and does not point. */
function numberAbout(place: Place): Tag | undefined {
  const lower = word(place)
  if (tag(place) !== 'ADP' || tag(place, 1) !== 'NUM') return undefined
  return lower === 'about' || (place.i === 0 && (lower === 'over' || lower === 'around' || lower === 'under'))
    ? 'ADV'
    : undefined
}

/** "**at least** two people". */
function atLeast(place: Place): Tag | undefined {
  if (word(place) === 'at' && (word(place, 1) === 'least' || word(place, 1) === 'most')) return 'ADV'
  return (word(place) === 'least' || word(place) === 'most') && word(place, -1) === 'at' ? 'ADV' : undefined
}

/** "Winter**'s** coming", "Tom**'s** been away": before these, `'s` is a verb and no owner. */
function isNotHas(place: Place): Tag | undefined {
  if (word(place) !== "'s" || tag(place) !== 'PART') return undefined
  const next = tag(place, 1)
  if (word(place, 1) === 'been' || word(place, 1) === 'a' || word(place, 1) === 'the' || word(place, 1) === 'not')
    return 'AUX'
  const after = tag(place, 2)
  const isNoun = after === 'NOUN' || after === 'PROPN' || after === 'ADJ'
  return next === 'VERB' && verbForm(word(place, 1)) === 'ing' && !isNoun ? 'AUX' : undefined
}

/** "His songs **span** four decades": between a plural and an article, with no verb about. */
function verbAfterPlural(place: Place): Tag | undefined {
  if (tag(place) !== 'NOUN' || place.i > NAME_TOKENS_MAX || tag(place, -1) !== 'NOUN' || !word(place, -1).endsWith('s'))
    return undefined
  if (verbForm(word(place)) !== 'base' || hasVerb(place)) return undefined
  return tag(place, 1) === 'DET' ? 'VERB' : undefined
}

/** "That **amounts** to little": a plural never follows `that`. */
function verbAfterThat(place: Place): Tag | undefined {
  const before = word(place, -1)
  if (tag(place) !== 'NOUN' || (before !== 'that' && before !== 'this' && before !== 'it')) return undefined
  return verbForm(word(place)) === 'present' &&
    (tag(place, 1) === 'ADP' || tag(place, 1) === 'DET' || tag(place, 1) === 'PRON' || tag(place, 1) === 'PART')
    ? 'VERB'
    : undefined
}

/** "Two **injured** players", "of **frozen** lakes": a participle inside a noun phrase. */
function participleBeforeNoun(place: Place): Tag | undefined {
  if (tag(place) !== 'VERB' || tag(place, 1) !== 'NOUN') return undefined
  const before = tag(place, -1)
  const form = verbForm(word(place))
  if (form === 'ing')
    return before === 'CCONJ' && tag(place, -2) === 'NOUN' && tag(place, 2) === 'AUX' ? 'ADJ' : undefined
  if (form !== 'either' && form !== 'participle') return undefined
  if (before === 'ADV' && word(place, -1).endsWith('ly'))
    return tag(place, -2) === 'VERB' || tag(place, -2) === 'ADP' ? 'ADJ' : undefined
  return before === 'NUM' || before === 'DET' || before === 'ADP' || before === 'ADJ' ? 'ADJ' : undefined
}

/** "He **lives** here", "they **work** late": a noun with a verb's spelling after a pronoun that needs a verb. */
function verbAfterPronoun(place: Place): Tag | undefined {
  if (tag(place) !== 'NOUN' && tag(place) !== 'ADJ') return undefined
  const back = tag(place, -1) === 'ADV' ? 2 : 1
  const before = word(place, -back)
  if (!NOMINATIVE.has(before)) return undefined
  if (tag(place, 1) === 'AUX' || (tag(place) === 'ADJ' && !isIrregularForm(word(place)) && !word(place).endsWith('ed')))
    return undefined
  return verbForm(word(place)) === 'ing' ? undefined : 'VERB'
}

const NOMINATIVE = new Set(['i', 'he', 'she', 'they', 'we', 'who'])

/** "Ada **lives** in Rome", "the shop **sells** bread": a plural noun between a name and what a verb would govern. */
function verbAfterName(place: Place): Tag | undefined {
  if (tag(place) !== 'NOUN' || verbForm(word(place)) !== 'present') return undefined
  const before = tag(place, -1)
  if (place.i > NAME_TOKENS_MAX || (before !== 'PROPN' && !(before === 'NOUN' && !word(place, -1).endsWith('s'))))
    return undefined
  if (hasVerb(place)) return undefined
  const next = tag(place, 1)
  return next === 'DET' || next === 'ADP' || next === 'PRON' || next === 'PROPN' ? 'VERB' : undefined
}

/** A subject that a sentence begins with is hardly longer. */
const NAME_TOKENS_MAX = 7

function hasVerb({ tokens, tags, i }: Place): boolean {
  for (let at = i - 1; at >= 0 && at > i - 12; at--) if (tags[at] === 'AUX' || tags[at] === 'VERB') return true
  for (let at = i + 1; at < tags.length && at < i + 25 && tokens[at]?.lower !== ','; at++)
    if (tags[at] === 'AUX' || tags[at] === 'VERB') return true
  return false
}

/** "She **has** two dogs", "they **did** it": an auxiliary that nothing follows is a verb of its own. */
function auxiliaryAsMain(place: Place): Tag | undefined {
  return tag(place) === 'VERB' && BE.has(word(place)) ? 'AUX' : undefined
}
