import MiniSearch from 'minisearch'
import { expect, test } from 'vitest'
import { understand } from '../../src/memory/understand.ts'
import languages from './languages.json' with { type: 'json' }
import { found, textsIndex } from './make-memories.ts'

/** By language: texts, each with a question that it answers. */
const LANGUAGES = Object.entries(languages).map(([name, pairs]) => ({
  name,
  texts: pairs.map(([text = '']) => text),
  questions: pairs.map(([, question = '']) => question)
}))

/** The number of questions, of 20, whose answer comes first among the 100 texts. MiniSearch uses its defaults. */
const FIRST = {
  German: { memctl: 20, miniSearch: 20 },
  French: { memctl: 20, miniSearch: 20 },
  Spanish: { memctl: 20, miniSearch: 20 },
  Chinese: { memctl: 20, miniSearch: 0 },
  Japanese: { memctl: 20, miniSearch: 0 }
}

/** Creates a function that returns the number of the text that MiniSearch finds first. */
function createMiniSearch(texts: readonly string[]): (question: string) => number | undefined {
  const index = new MiniSearch({ fields: ['text'] })
  index.addAll(texts.map((text, id) => ({ id, text })))
  return (question) => index.search(question)[0]?.id
}

test('answers questions in other languages at least as well as MiniSearch', async () => {
  const texts = LANGUAGES.flatMap((language) => language.texts)
  const index = await textsIndex(...texts)
  const findFirst = createMiniSearch(texts)
  const counts = LANGUAGES.map(({ name, questions }, nth) => {
    const isFirst = (at: number, first: number | undefined): boolean => first === nth * questions.length + at
    return [
      name,
      {
        memctl: questions.filter((question, at) => isFirst(at, found(index, question, 1)[0])).length,
        miniSearch: questions.filter((question, at) => isFirst(at, findFirst(question))).length
      }
    ]
  })
  expect(Object.fromEntries(counts)).toEqual(FIRST)
})

test.each(LANGUAGES)('finds no fact in $name texts by an English rule', ({ texts, questions }) => {
  const facts = [...texts, ...questions].flatMap(
    (text) => understand({ text, title: undefined, speaker: 'Ada', at: '2024-05-06T00:00:00.000Z' }).facts ?? []
  )
  expect(facts).toEqual([])
})
