import { type Tag, type TokenPlace, tag, word } from './token.ts'
import { classifyVerbForm, isIrregularForm, MODAL_VERBS, mayBeParticiple, mayBePast } from './verb-forms.ts'

/** "He wants **to** leave": before a verb, `to` is a particle. */
export function tagToBeforeVerb(place: TokenPlace): Tag | undefined {
  if (word(place) !== 'to') return undefined
  const next = tag(place, 1)
  if (next === 'VERB' || next === 'AUX') return classifyVerbForm(word(place, 1)) === 'base' ? 'PART' : 'ADP'
  if (next === 'ADV' && tag(place, 2) === 'VERB' && classifyVerbForm(word(place, 2)) === 'base') return 'PART'
  return undefined
}

/** "Since we **last** met": before a past tense, `last` is an adverb. */
export function tagLastBeforePast(place: TokenPlace): Tag | undefined {
  if (word(place) !== 'last' || tag(place, -1) !== 'PRON' || tag(place, 1) !== 'VERB') return undefined
  return classifyVerbForm(word(place, 1)) === 'base' ? undefined : 'ADV'
}

/** "She has been **painting**", "they did **walk**": a verb after an auxiliary that the tagger took for a noun. */
export function tagVerbAfterAuxiliary(place: TokenPlace): Tag | undefined {
  const own = tag(place)
  if (own !== 'NOUN' && own !== 'ADJ') return undefined
  let back = 1
  while (back < 4 && (tag(place, -back) === 'PART' || tag(place, -back) === 'ADV')) back++
  if (tag(place, -back) !== 'AUX') return undefined
  const helper = word(place, -back)
  const next = tag(place, 1)
  const form = classifyVerbForm(word(place))
  if (MODAL_VERBS.has(helper) || DO.has(helper))
    return form === 'base' && (own === 'NOUN' || next === 'DET' || next === 'PRON') ? 'VERB' : undefined
  if (BE.has(helper) && form === 'ing' && own === 'NOUN') return next === 'NOUN' ? undefined : 'VERB'
  if (BE.has(helper) && own === 'ADJ' && mayBeParticiple(word(place)) && next === 'ADP') return 'VERB'
  if (HAVE.has(helper) && mayBeParticiple(word(place)) && next !== 'NOUN') return 'VERB'
  return undefined
}

const BE = new Set(['is', 'are', 'was', 'were', 'be', 'been', 'being', 'am', "'s", "'re", "'m"])
const HAVE = new Set(['has', 'have', 'had', "'ve"])
const DO = new Set(['do', 'does', 'did'])

/** "I want to **garden**": a noun directly after the `to` of a verb such as `want`. */
export function tagVerbAfterTo(place: TokenPlace): Tag | undefined {
  if (tag(place) === 'NOUN' && word(place, -1) === "'s" && word(place, -2) === 'let') return 'VERB'
  if (tag(place) !== 'NOUN' || word(place, -1) !== 'to' || tag(place, -1) !== 'PART') return undefined
  return classifyVerbForm(word(place)) === 'base' ? 'VERB' : undefined
}

/** Words after `back` for the place to which a person returned: "Bo**'s** back in Oslo". */
const RETURNS = new Set(['in', 'at', 'from', 'home'])

/** "Winter**'s** coming", "Tom**'s** been away": before these words, `'s` is a verb and not a possessive. */
export function tagIsNotHas(place: TokenPlace): Tag | undefined {
  if (word(place) !== "'s" || tag(place) !== 'PART') return undefined
  const next = tag(place, 1)
  if (word(place, 1) === 'been' || word(place, 1) === 'a' || word(place, 1) === 'the' || word(place, 1) === 'not')
    return 'AUX'
  if (word(place, 1) === 'back' && RETURNS.has(word(place, 2))) return 'AUX'
  const after = tag(place, 2)
  if (isDescribed(place, next === 'ADV' ? 2 : 1)) return 'AUX'
  const isNoun = after === 'NOUN' || after === 'PROPN' || after === 'ADJ'
  return next === 'VERB' && classifyVerbForm(word(place, 1)) === 'ing' && !isNoun ? 'AUX' : undefined
}

/** Recognises an adjective or adverb without a noun: "tea's **great for** colds", "bread's **mostly my** task". */
function isDescribed(place: TokenPlace, away: number): boolean {
  const [described, next] = [tag(place, away), tag(place, away + 1)]
  if (described === 'ADJ') return next === 'ADP' && !OWNED_ADJECTIVES.has(word(place, away))
  return away === 2 && tag(place, 1) === 'ADV' && described === 'PRON' && tag(place, away + 1) === 'NOUN'
}

/** Stand for a noun: "my dog's **favorite** of all". */
const OWNED_ADJECTIVES = new Set([
  'favorite',
  'favourite',
  'best',
  'own',
  'latest',
  'first',
  'last',
  'next',
  'old',
  'new'
])

/** "Tea time **matters** to me": the verb, where the tagger reads a noun. */
export function tagMattersTo(place: TokenPlace): Tag | undefined {
  if (word(place) !== 'matters' || tag(place) !== 'NOUN' || word(place, 1) !== 'to') return undefined
  return OBJECTS.has(word(place, 2)) ? 'VERB' : undefined
}

const OBJECTS = new Set(['me', 'us', 'him', 'her', 'them', 'you'])

/** "My plan **involved** sorting the boxes": a past tense between a subject and an activity. */
export function tagPastBeforeGerund(place: TokenPlace): Tag | undefined {
  if (tag(place) !== 'ADJ' || tag(place, -1) !== 'NOUN' || tag(place, 1) !== 'VERB') return undefined
  const isPast = word(place).endsWith('ed') && classifyVerbForm(word(place, 1)) === 'ing'
  const isOpen = place.tags.slice(0, place.i).every((own) => own !== 'VERB' && own !== 'AUX')
  return isPast && isOpen ? 'VERB' : undefined
}

/** "I live in Bray and **work** at the mill": a second verb after `and`, where a noun would need an article. */
export function tagSecondVerb(place: TokenPlace): Tag | undefined {
  if (tag(place) !== 'NOUN' || word(place, -1) !== 'and') return undefined
  if (word(place) === 'check' && word(place, 1) === 'out') return 'VERB'
  if (!SECOND_VERBS.has(word(place))) return undefined
  const next = tag(place, 1)
  if (
    next !== 'ADP' &&
    next !== 'DET' &&
    next !== 'PRON' &&
    !((next === 'ADJ' || next === 'ADV') && word(place) === 'use')
  )
    return undefined
  const isTold = place.tokens.slice(0, place.i).some(({ lower }, at) => SPEAKERS.has(lower) && isVerbNext(place, at))
  return isTold ? 'VERB' : undefined
}

/** "I **live**", "I **'ll follow**", "I **'m gonna take**". */
function isVerbNext({ tokens, tags }: TokenPlace, at: number): boolean {
  if (tags[at + 1] === 'VERB' || tokens[at + 1]?.lower === "'ll") return true
  return tags[at + 2] === 'VERB' && tokens[at + 2]?.lower === 'gonna'
}

const SPEAKERS = new Set(['i', 'we', 'you', 'they'])

/** Verbs that are equally common as nouns. */
const SECOND_VERBS = new Set(
  'work live study play run walk travel drive cook dance paint train love hope plan visit use'.split(' ')
)

/** "Ada **works** at the mill and …": a word that is almost always a verb, after the name that opens the sentence. */
export function tagCommonVerbAfterName(place: TokenPlace): Tag | undefined {
  if (tag(place) !== 'NOUN' || !COMMON_VERBS.has(word(place)) || tag(place, 1) === 'AUX') return undefined
  const before = tag(place, -1)
  const isAfterRelative = place.tokens.slice(0, place.i).some(({ lower }) => lower === 'who')
  if (isAfterRelative) return before === 'NOUN' || before === 'PROPN' || word(place, -1) === ',' ? 'VERB' : undefined
  if (before !== 'PROPN' && !(word(place, -1) === ',' && tag({ ...place, i: 0 }) === 'PROPN')) return undefined
  for (let at = 0; at < place.i; at++) if (place.tags[at] === 'VERB' || place.tags[at] === 'AUX') return undefined
  return 'VERB'
}

const COMMON_VERBS = new Set(
  `lives works plays loves likes hopes visits runs uses needs studies drives walks cooks paints sings owns leaves starts
  moves wants helps travels sells reads writes wins trains dates teaches swims rides hosts leads feels keeps drinks`
    .trim()
    .split(/\s+/)
)

/** "My friends **love** to dance": a word of liking or wishing between a plural and an infinitive. */
export function tagWishAfterPlural(place: TokenPlace): Tag | undefined {
  if (tag(place) !== 'NOUN' || !WISHES.has(word(place)) || word(place, 1) !== 'to' || tag(place, -1) !== 'NOUN')
    return undefined
  return word(place, -1).endsWith('s') && classifyVerbForm(word(place, 2)) === 'base' ? 'VERB' : undefined
}

const WISHES = new Set(['love', 'hope', 'like', 'want', 'need', 'plan', 'hate'])

/** "I wanna **chill** and play": a noun directly after a contraction of "want to", "going to" or "got to". */
export function tagVerbAfterSlurred(place: TokenPlace): Tag | undefined {
  if (tag(place) !== 'NOUN' || !SLURRED.has(word(place, -1))) return undefined
  return classifyVerbForm(word(place)) === 'base' ? 'VERB' : undefined
}

const SLURRED = new Set(['wanna', 'gonna', 'gotta'])

/** "My friend **Ted** once was …": a capitalised word inside a sentence, after a noun with a possessive. */
export function tagNameAfterOwned(place: TokenPlace): Tag | undefined {
  if (tag(place) !== 'VERB' || tag(place, -1) !== 'NOUN' || tag(place, -2) !== 'PRON') return undefined
  const isCapitalised = (at: number) => /^\p{Lu}/u.test(place.tokens[at]?.text ?? '')
  return isCapitalised(place.i) && !isCapitalised(place.i - 1) ? 'PROPN' : undefined
}

/** "His songs **span** four decades": a word between a plural and an article, with no other verb near. */
export function tagVerbAfterPlural(place: TokenPlace): Tag | undefined {
  if (tag(place) !== 'NOUN' || place.i > NAME_TOKENS_MAX || tag(place, -1) !== 'NOUN' || !word(place, -1).endsWith('s'))
    return undefined
  if (classifyVerbForm(word(place)) !== 'base' || hasVerb(place)) return undefined
  return tag(place, 1) === 'DET' ? 'VERB' : undefined
}

/** Maximum length of a subject at the start of a sentence. */
const NAME_TOKENS_MAX = 7

function hasVerb({ tokens, tags, i }: TokenPlace): boolean {
  for (let at = i - 1; at >= 0 && at > i - 12; at--) if (tags[at] === 'AUX' || tags[at] === 'VERB') return true
  for (let at = i + 1; at < tags.length && at < i + 25 && tokens[at]?.lower !== ','; at++)
    if (tags[at] === 'AUX' || tags[at] === 'VERB') return true
  return false
}

/** "She bakes bread, **sells** cakes and **rents** rooms": a verb in a list of activities. */
export function tagVerbInList(place: TokenPlace): Tag | undefined {
  const lower = word(place)
  if (tag(place) !== 'NOUN' || classifyVerbForm(lower) !== 'present' || PLURAL_MODIFIERS.has(lower)) return undefined
  if (tag(place, -1) !== 'CCONJ' && word(place, -1) !== ',') return undefined
  const next = tag(place, 1)
  if (next !== 'NOUN' && next !== 'DET') return undefined
  for (let at = place.i - 2; at >= 0 && at > place.i - 12; at--)
    if (
      place.tokens[at]?.lower === 'who' ||
      (place.tags[at] === 'VERB' && classifyVerbForm(place.tokens[at]?.lower ?? '') === 'present')
    )
      return 'VERB'
  return undefined
}

/** Plurals that modify a noun: "sales team". Other plurals in this position are verbs. */
const PLURAL_MODIFIERS = new Set(
  'sports sales arms news goods savings customs women men physics economics politics mathematics years months weeks'.split(
    ' '
  )
)

/** "The baker **claims** that …": a verb of saying between a noun and `that`. */
export function tagVerbBeforeThat(place: TokenPlace): Tag | undefined {
  if (tag(place) !== 'NOUN' || word(place, 1) !== 'that' || !SAYING.has(word(place))) return undefined
  return tag(place, -1) === 'NOUN' || tag(place, -1) === 'PROPN' ? 'VERB' : undefined
}

const SAYING = new Set(
  'claims says thinks believes argues reports notes states hopes shows fears doubts suspects guesses answers'.split(' ')
)

/** "**Painting** the fence takes a day". */
export function tagGerundAtStart(place: TokenPlace): Tag | undefined {
  const own = tag(place)
  if (place.i !== 0 || (own !== 'NOUN' && own !== 'PROPN') || classifyVerbForm(word(place)) !== 'ing') return undefined
  if (tag(place, 1) === 'DET') return 'VERB'
  return tag(place, 1) === 'NOUN' ? 'NOUN' : undefined
}

/** "**Explored** the old town and enjoyed it": a past tense at the start, which the tagger takes for a name. */
export function tagPastAtStart(place: TokenPlace): Tag | undefined {
  if (place.i !== 0 || tag(place) !== 'PROPN' || !word(place).endsWith('ed')) return undefined
  const next = tag(place, 1)
  return mayBePast(word(place)) && (next === 'DET' || next === 'PRON') ? 'VERB' : undefined
}

/** "We hiked, **roasted** corn and went home": a past tense between others, which the tagger takes for an adjective. */
export function tagPastInList(place: TokenPlace): Tag | undefined {
  if (tag(place) !== 'ADJ' || word(place, -1) !== ',' || !word(place).endsWith('ed')) return undefined
  return isPastBefore(place) && isPastAfterAnd(place) ? 'VERB' : undefined
}

function isPastBefore({ tokens, tags, i }: TokenPlace): boolean {
  for (let at = i - 2; at >= 0 && at > i - LIST_TOKENS; at--)
    if (tags[at] === 'VERB') return mayBePast(tokens[at]?.lower ?? '') && tags[at - 1] !== 'AUX'
  return false
}

function isPastAfterAnd({ tokens, tags, i }: TokenPlace): boolean {
  for (let at = i + 1; at < i + LIST_TOKENS; at++) {
    if (tags[at] === 'VERB' || tags[at] === 'AUX') return false
    if (tags[at] !== 'CCONJ') continue
    const next = tags[at + 1] === 'ADV' ? at + 2 : at + 1
    return tags[next] === 'VERB' && mayBePast(tokens[next]?.lower ?? '')
  }
  return false
}

const LIST_TOKENS = 12

/** "It was a bit **challenging** for me": after a word of degree, and without an object, no verb but an adjective. */
export function tagParticipleAfterDegree(place: TokenPlace): Tag | undefined {
  if (tag(place) !== 'VERB' || !DEGREES.has(word(place, -1)) || !word(place).endsWith('ing')) return undefined
  const next = tag(place, 1)
  return next === 'DET' || next === 'NOUN' || next === 'PRON' || next === 'PROPN' ? undefined : 'ADJ'
}

const DEGREES = new Set(['bit', 'so', 'very', 'pretty', 'quite', 'too'])

/** "It's really **cool** how it floats": no base form of a verb follows `be`. */
export function tagAdjectiveAfterBe(place: TokenPlace): Tag | undefined {
  if (tag(place) !== 'VERB' || tag(place, -1) !== 'ADV' || tag(place, -2) !== 'AUX' || !BE.has(word(place, -2)))
    return undefined
  return classifyVerbForm(word(place)) === 'base' && word(place, -3) !== 'let' ? 'ADJ' : undefined
}

/** "That **amounts** to little": `that` is never followed by a plural noun. */
export function tagVerbAfterThat(place: TokenPlace): Tag | undefined {
  const before = word(place, -1)
  if (tag(place) !== 'NOUN' || (before !== 'that' && before !== 'this' && before !== 'it')) return undefined
  return classifyVerbForm(word(place)) === 'present' &&
    (tag(place, 1) === 'ADP' || tag(place, 1) === 'DET' || tag(place, 1) === 'PRON' || tag(place, 1) === 'PART')
    ? 'VERB'
    : undefined
}

/** "He **lives** here", "they **work** late": a possible verb after a pronoun that needs one. */
export function tagVerbAfterPronoun(place: TokenPlace): Tag | undefined {
  if (tag(place) !== 'NOUN' && tag(place) !== 'ADJ') return undefined
  const back = tag(place, -1) === 'ADV' ? 2 : 1
  const before = word(place, -back)
  if (!NOMINATIVE.has(before)) return undefined
  // "people **who care** are rare"
  if (
    (tag(place, 1) === 'AUX' && before !== 'who') ||
    (tag(place) === 'ADJ' && !isIrregularForm(word(place)) && !word(place).endsWith('ed'))
  )
    return undefined
  return classifyVerbForm(word(place)) === 'ing' ? undefined : 'VERB'
}

const NOMINATIVE = new Set(['i', 'he', 'she', 'they', 'we', 'who'])

/**
 * "Ada **lives** in Rome", "the shop **sells** bread": a possible verb between a name and the words it would govern.
 */
export function tagVerbAfterName(place: TokenPlace): Tag | undefined {
  if (tag(place) !== 'NOUN' || classifyVerbForm(word(place)) !== 'present') return undefined
  const before = tag(place, -1)
  if (place.i > NAME_TOKENS_MAX || (before !== 'PROPN' && !(before === 'NOUN' && !word(place, -1).endsWith('s'))))
    return undefined
  if (hasVerb(place)) return undefined
  const next = tag(place, 1)
  // "**Train team members** on rules" is a phrase without an article, "**the shop sells** bread" a clause.
  const isBare = before === 'NOUN' && !place.tags.slice(0, place.i).some((own) => PHRASE_OPENERS.has(own))
  if ((isBare && next !== 'DET') || COPULA_FORMS.has(word(place, 1))) return undefined
  if (next === 'NOUN') return PLURAL_MODIFIERS.has(word(place)) ? undefined : 'VERB'
  return next === 'DET' || (next === 'ADP' && place.i > 1) || next === 'PRON' || next === 'PROPN' ? 'VERB' : undefined
}

/** Tags of articles, possessives and `'s`. */
const PHRASE_OPENERS: ReadonlySet<Tag> = new Set<Tag>(['DET', 'PRON', 'PART'])

/** Verbs whose base form the tagger takes for a noun: "mock interviews **sound** useful". */
const COPULA_FORMS = new Set(['sound', 'look', 'smell', 'taste', 'feel'])

/** "She **has** two dogs", "they **did** it": an auxiliary without a following verb is a main verb. */
export function tagAuxiliaryAsMain(place: TokenPlace): Tag | undefined {
  return tag(place) === 'VERB' && BE.has(word(place)) ? 'AUX' : undefined
}

/**
 * "Nadia **married** Piet", "Ulla **retired** early": a participle after the opening name, in a sentence without a
 * verb.
 */
export function tagPastAfterName(place: TokenPlace): Tag | undefined {
  if (tag(place) !== 'ADJ' || tag(place, -1) !== 'PROPN' || !word(place).endsWith('ed')) return undefined
  return place.i > NAME_TOKENS_MAX || hasVerb(place) ? undefined : 'VERB'
}

/** "Witnesses **say** the door was open": a verb of saying between a plural and a clause. */
export function tagSayAfterPlural(place: TokenPlace): Tag | undefined {
  const before = tag(place, -1)
  if (
    tag(place) !== 'NOUN' ||
    !SAY.has(word(place)) ||
    (before !== 'NOUN' && before !== 'PROPN') ||
    !word(place, -1).endsWith('s')
  )
    return undefined
  const next = tag(place, 1)
  return next === 'DET' || next === 'PRON' || word(place, 1) === 'that' ? 'VERB' : undefined
}

const SAY = new Set('claim say think believe argue report hope fear note doubt'.split(' '))
