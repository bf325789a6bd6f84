import { SENTENCES_MAX, type Turn } from './turn.ts'

/** In UTF-16 code units, of the whole and of one sentence in it. */
const SUMMARY_UNITS_MAX = 300
const SENTENCE_UNITS_MAX = 180
const CHOSEN_MAX = 3

/** A sentence that holds less of the weight of the first than this adds nothing. */
const SHARE_MIN = 0.1

/**
 * One to three sentences of some turns, in their order and with their speakers, that hold most of the words that come up
 * in many turns; what one of them said already counts no more for the next (as in SumBasic, Nenkova and Vanderwende 2005).
 */
export function summarizeTurns(turns: readonly Turn[]): string {
  const sentences = turns.flatMap(listSentences)
  const weights = computeWeights(turns)
  const chosen: Sentence[] = []
  let units = 0
  let least = 0
  while (chosen.length < CHOSEN_MAX) {
    const best = findHeaviest(sentences, weights, chosen)
    const weight = best === undefined ? 0 : computeWeight(best, weights)
    if (best === undefined || weight < least || (units > 0 && units + best.shown.length > SUMMARY_UNITS_MAX)) break
    if (chosen.length === 0) least = weight * SHARE_MIN
    chosen.push(best)
    units += best.shown.length + 1
    for (const word of best.words) weights.set(word, (weights.get(word) ?? 0) / 8)
  }
  if (chosen.length === 0) return shortenSentence(turns[0]?.record.text.trim() ?? '')
  return formatSentences(chosen.sort((a, b) => a.place - b.place))
}

type Sentence = {
  place: number
  shown: string
  speaker: string | undefined
  words: ReadonlySet<string>
  factor: number
}

function listSentences({ record, sentences }: Turn, turn: number): Sentence[] {
  const events = findEventPlaces(record)
  return sentences.map(({ text, start, end, words }, number) => {
    const hasEvent = events.some((place) => place >= start && place < end)
    const factor = rateSentence(text) * (hasEvent ? EVENT_FACTOR : 1)
    const place = turn * SENTENCES_MAX + number
    return { place, shown: shortenSentence(text), speaker: record.speaker, words: new Set(words), factor }
  })
}

/** What happened is worth more than what is thought of it. */
const EVENT_FACTOR = 1.8

/** A question tells less than an answer, talk of the other one less than news of one's own; a name tells more. */
function rateSentence(sentence: string): number {
  const told = sentence.endsWith('?') ? 0.4 : /\b(?:you|your|thanks|congrats)\b/i.test(sentence) ? 0.6 : 1
  return / (?!I\b)\p{Lu}\p{L}/u.test(sentence) ? told * 1.2 : told
}

function findEventPlaces({ events }: Turn['record']): number[] {
  return (events ?? []).flatMap((event) => {
    const span = typeof event === 'object' && event !== null && !Array.isArray(event) ? event.span : undefined
    const start = Array.isArray(span) ? span[0] : undefined
    return typeof start === 'number' ? [start] : []
  })
}

/** In how many turns a word comes up, those of one turn being as good as none. */
function computeWeights(turns: readonly Turn[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { words } of turns) for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1)
  for (const [word, count] of counts) counts.set(word, count === 1 ? 0.3 : Math.log2(1 + count))
  return counts
}

function findHeaviest(
  sentences: readonly Sentence[],
  weights: ReadonlyMap<string, number>,
  chosen: readonly Sentence[]
) {
  let best: Sentence | undefined
  let most = -1
  for (const sentence of sentences) {
    if (chosen.includes(sentence)) continue
    const weight = computeWeight(sentence, weights)
    if (weight > most) [best, most] = [sentence, weight]
  }
  return best
}

/** The mean of a sentence's words would favour exclamations, the sum long ones: it lies in between. */
function computeWeight({ words, factor }: Sentence, weights: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const word of words) sum += weights.get(word) ?? 0
  return (factor * sum) / Math.sqrt(words.size + 4)
}

/** The speaker is named where another one spoke before. */
function formatSentences(sentences: readonly Sentence[]): string {
  let text = ''
  let last: string | undefined
  for (const { shown, speaker } of sentences) {
    const name = speaker !== undefined && speaker !== last ? `${speaker}: ` : ''
    text += `${text === '' ? '' : ' '}${name}${shown}`
    last = speaker
  }
  return text
}

function shortenSentence(sentence: string): string {
  const text = sentence.replace(/\s+/g, ' ')
  if (text.length <= SENTENCE_UNITS_MAX) return text
  const space = text.lastIndexOf(' ', SENTENCE_UNITS_MAX)
  const end = space > SENTENCE_UNITS_MAX / 2 ? space : SENTENCE_UNITS_MAX
  return `${text.slice(0, /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end)}…`
}
