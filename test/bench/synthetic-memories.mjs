import { createHash } from 'node:crypto'
import { randomNumbers } from '../setup/random-numbers.mjs'

/**
 * Generates memories by a fixed rule, the same in every run and on every machine. Words follow Zipf's law over a
 * vocabulary of 60,000 generated words, mixed with English function words as in running text. Ten speakers have
 * conversations of about twenty turns.
 */
export function syntheticMemories(count, seed = 1) {
  return [...eachSyntheticMemory(count, seed)]
}

/** Returns the place of a memory of about 100 characters in a simulated snapshot, and its identity. */
export function placeOf(line) {
  const id = createHash('sha256').update(`id ${line}`).digest()
  return {
    id: id.subarray(0, 16),
    check: id,
    offset: line * 410 + (line % 97),
    length: 380 + (line % 60),
    extractor: 1
  }
}

/** Yields the same memories one by one, so that a million of them need not be in memory at once. */
export function* eachSyntheticMemory(count, seed = 1) {
  const random = randomNumbers(seed)
  const vocabulary = makeVocabulary(random, 60_000)
  let conversation = 0
  let turn = 0
  for (let line = 0; line < count; line++) {
    if (turn === 0) {
      conversation++
      turn = 10 + Math.floor(random() * 20)
    }
    turn--
    yield {
      text: sentence(random, vocabulary),
      speaker: SPEAKERS[Math.floor(random() * SPEAKERS.length)],
      conversation: `c${conversation}`,
      at: 1_600_000_000_000 + line * 60_000 + Math.floor(random() * 60_000)
    }
  }
}

/** Generates queries of two to five words from texts of the same kind, with common and rare words. */
export function syntheticQueries(count, seed = 1) {
  const random = randomNumbers(seed)
  const vocabulary = makeVocabulary(random, 60_000)
  return Array.from({ length: count }, () => {
    const words = 2 + Math.floor(random() * 4)
    return Array.from({ length: words }, () => vocabulary[zipf(random, vocabulary.length)]).join(' ')
  })
}

const SPEAKERS = ['Anna', 'Bruno', 'Clara', 'David', 'Elena', 'Frank', 'Greta', 'Henri', 'Ines', 'Jonas']
const FUNCTION_WORDS = [
  'the',
  'a',
  'of',
  'and',
  'to',
  'in',
  'it',
  'is',
  'was',
  'I',
  'you',
  'that',
  'for',
  'on',
  'with',
  'my'
]
const SYLLABLES = [
  'ba',
  'co',
  'di',
  'fu',
  'ga',
  'hi',
  'jo',
  'ke',
  'lu',
  'ma',
  'ne',
  'po',
  'ri',
  'sa',
  'te',
  'vo',
  'war',
  'zen',
  'lin',
  'tor'
]
const SENTENCE_CHARACTERS = 100

function sentence(random, vocabulary) {
  let text = ''
  const length = SENTENCE_CHARACTERS * (0.5 + random())
  while (text.length < length) {
    const functional = random() < 0.4
    const word = functional
      ? FUNCTION_WORDS[Math.floor(random() * FUNCTION_WORDS.length)]
      : vocabulary[zipf(random, vocabulary.length)]
    text += text === '' ? word[0].toUpperCase() + word.slice(1) : ` ${word}`
  }
  return `${text}${random() < 0.15 ? '?' : '.'}`
}

/** Draws a rank from 0, whose frequency decreases with the rank. */
function zipf(random, size) {
  return Math.min(size - 1, Math.floor((size + 1) ** random() - 1))
}

function makeVocabulary(random, size) {
  const words = new Set()
  while (words.size < size) {
    const syllables = 1 + Math.floor(random() * 4)
    let word = ''
    for (let part = 0; part < syllables; part++) word += SYLLABLES[Math.floor(random() * SYLLABLES.length)]
    if (word.length > 2) words.add(word)
  }
  return [...words]
}
