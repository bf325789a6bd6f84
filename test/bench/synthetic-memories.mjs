import { createHash } from 'node:crypto'
import { randomNumbers } from '../setup/random-numbers.mjs'

/**
 * Memories made up by a fixed rule: the same in every run and on every machine. Words are drawn by Zipf's law from a
 * vocabulary of 60,000 made-up words, among English function words, as running text has them; ten speakers hold
 * conversations of about twenty turns.
 */
export function syntheticMemories(count, seed = 1) {
  return [...eachSyntheticMemory(count, seed)]
}

/** Where a memory of about 100 characters would stand in a snapshot, and what identifies it. */
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

/** The same, one after another: a million of them need not be in memory at once. */
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

/** Queries of two to five words that texts of the same make have, common and rare ones alike. */
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

/** A rank from 0, drawn so that its frequency falls with the rank. */
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
