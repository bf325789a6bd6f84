import { SENTENCES_MAX, type Turn } from './turn.ts'

/** Limits in UTF-16 code units, of the whole summary and of one sentence in it. */
const SUMMARY_UNITS_MAX = 300
const SENTENCE_UNITS_MAX = 180
const CHOSEN_MAX = 3

/** A sentence is added only if its weight is at least this share of the first sentence's weight. */
const SHARE_MIN = 0.1

/**
 * Summarizes turns in one to three of their own sentences, in order and with their speakers. The sentences chosen
 * contain most of the words that occur in many turns. A word that a chosen sentence contains counts less for the next
 * ones (as in SumBasic, Nenkova and Vanderwende 2005).
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

/** Events weigh more than opinions about them. */
const EVENT_FACTOR = 1.8

/** Rates questions and sentences about the listener lower, and sentences that contain a name higher. */
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

/** Computes in how many turns each word occurs; words of a single turn count almost nothing. */
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

/**
 * Returns a value between the mean of the words, which favours exclamations, and the sum, which favours long sentences.
 */
function computeWeight({ words, factor }: Sentence, weights: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const word of words) sum += weights.get(word) ?? 0
  return (factor * sum) / Math.sqrt(words.size + 4)
}

/** Joins sentences and names the speaker wherever it changes. */
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
