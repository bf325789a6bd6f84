import { expect, test } from 'vitest'
import { readSentences } from '../../../src/memory/language/read-sentences.ts'
import { repairTags } from '../../../src/memory/language/repair-tags.ts'

/** Returns the corrected tag of a word's first occurrence in a sentence. */
function tagOf(word: string, text: string): string | undefined {
  for (const sentence of readSentences(text)) {
    const at = sentence.tokens.findIndex((token) => token.text === word)
    if (at >= 0) return repairTags(sentence)[at]
  }
  return undefined
}

test.each([
  ['lives', 'Ada lives in Turin and works at the mill.', 'VERB'],
  ['paints', 'Mira plays the cello, paints boats and bakes bread.', 'VERB'],
  ['claims', 'The guard claims that the road is closed.', 'VERB'],
  ['leaks', "Peter's boat leaks oil.", 'VERB'],
  ['Painting', 'Painting the fence takes a day.', 'VERB'],
  ['married', 'Nadia married Piet in 2018.', 'VERB'],
  ['close', 'The council may close the pool.', 'VERB'],
  ['hit', 'The harbour was hit by a storm.', 'VERB'],
  ['covered', 'A snow-covered roof fell in.', 'ADJ'],
  ['no', 'The shop no longer sells stamps.', 'ADV'],
  ['according', 'It rained, according to the diary.', 'ADP'],
  ['never', 'He never came.', 'ADV'],
  ['that', 'We are repairing that boat you sold.', 'DET'],
  ['that', 'They said that boats you sell are dear.', 'SCONJ']
])('tags %s in "%s" as %s', (word, text, tag) => {
  expect(tagOf(word, text)).toBe(tag)
})

test('leaves the tags of the tokens unchanged', () => {
  for (const sentence of readSentences('Ada lives in Turin and works at the mill.')) {
    const before = sentence.tokens.map((token) => token.tag)
    repairTags(sentence)
    expect(sentence.tokens.map((token) => token.tag)).toEqual(before)
  }
})

test('splits a contraction that the tokenizer left whole', () => {
  for (const text of ["I'm late.", 'I’m late.', "I'm cooking."]) {
    const [sentence] = readSentences(text)
    expect(sentence?.tokens.slice(0, 2).map(({ lower, start, end }) => [lower, start, end])).toEqual([
      ['i', 0, 1],
      ["'m", 1, 3]
    ])
  }
})
