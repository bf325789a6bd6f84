import fc from 'fast-check'
import { expect, test } from 'vitest'
import { found, indexOf, memory } from '../make-memories.ts'

/** About half a passage. */
const FILLING = 'Notes of the gardening club about hedges and bulbs and rain, read and filed. '.repeat(7)

test('ranks words that are close together before the same words scattered over a long text', async () => {
  const gap = FILLING.repeat(6)
  const scattered = memory('s', {
    text: `${gap}A copper wire. ${gap}A kettle sings. ${gap}An auction of bulbs. ${gap}`
  })
  const together = memory('t', { text: `${gap}${gap}${gap}A copper kettle came to auction. ${gap}`, offset: 1 })
  const index = await indexOf([scattered, together])
  expect(found(index, 'copper kettle auction')).toEqual([1, 0])
})

test('values a match in a long text as much as in a short one', async () => {
  const said = 'They sold a copper kettle at an auction'
  const index = await indexOf([
    memory('long', { text: `${FILLING.repeat(40)}${said}. ${FILLING.repeat(40)}` }),
    ...Array.from({ length: 20 }, (_, at) => memory(`${at}`, { text: `a kettle of the number ${at}`, offset: 1 + at }))
  ])
  expect(found(index, 'copper kettle auction')[0]).toBe(0)
})

test('counts a title for every passage of its text', async () => {
  const text = `${FILLING.repeat(8)}The lid is made of brass. ${FILLING.repeat(8)}`
  const index = await indexOf(
    ['Kettles', 'Hedges']
      .map((title, offset) => memory(title, { title, text, offset }))
      .concat(memory('k', { text: 'kettles', offset: 2 }))
  )
  expect(found(index, 'kettle brass lid')[0]).toBe(0)
})

test('returns the same memories in the same order for any limit, each once', async () => {
  const part = fc.constantFrom('plum ', 'pear ', 'leaf ', FILLING, FILLING)
  const texts = fc.array(fc.array(part, { minLength: 1, maxLength: 12 }), { minLength: 5, maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(texts, async (all) => {
      const index = await indexOf(
        all.map((parts, offset) => memory(`${offset}`, { text: parts.join(''), offset, at: offset % 3 }))
      )
      const every = found(index, 'plum pear', 1000)
      expect(new Set(every).size).toBe(every.length)
      for (const limit of [1, 2, 5, 20]) expect(found(index, 'plum pear', limit)).toEqual(every.slice(0, limit))
      index.close()
    }),
    { numRuns: process.env.SLOW ? 200 : 8 }
  )
})

test('leaves room for other memories besides those of a hundred passages', async () => {
  const long = Array.from({ length: 40 }, (_, at) =>
    memory(`long ${at}`, { text: `plum plum plum ${FILLING}${FILLING}`.repeat(100), offset: at })
  )
  const short = Array.from({ length: 30 }, (_, at) =>
    memory(`short ${at}`, { text: `plum ${'pear '.repeat(60)}`, offset: 100 + at })
  )
  const index = await indexOf([...long, ...short])
  const every = found(index, 'plum', 1000)
  expect(every).toHaveLength(70)
  for (const limit of [1, 30, 50, 69]) expect(found(index, 'plum', limit)).toEqual(every.slice(0, limit))
})

test('gives a long turn its neighbours, whichever of its passages matches', async () => {
  const turns = ['good morning', `${FILLING.repeat(8)}a walrus came by ${FILLING.repeat(8)}`, 'how big was it', 'huge']
  const index = await indexOf(
    turns.map((text, offset) => memory(text.slice(0, 9), { text, offset, conversation: 'c', position: offset }))
  )
  const inquiry = index.inquire('walrus', { limit: 1 })
  expect(inquiry.hits.map(({ offset }) => offset)).toEqual([1])
  const stretch = inquiry.findSection(0, { limit: 10, pauseMs: 1000 })
  expect(stretch.map(({ offset }) => offset)).toEqual([0, 1, 2, 3])
})

test('lists a memory once that states an attribute in many passages', async () => {
  const text = 'Ada lives in Oslo. '.repeat(400)
  const facts = Array.from({ length: 100 }, (_, at) => ({
    ...{ subject: 'Ada', predicate: 'lives in', value: 'Oslo', rule: 'clause.plain' },
    span: [at * 70, at * 70 + 18] as [number, number]
  }))
  const index = await indexOf([
    memory('long', { text, facts }),
    memory('b', { text: 'x', facts: facts.slice(0, 1), offset: 7 })
  ])
  const keyed = index.inquire('Ada', { limit: 1 }).keyed('lives_in|ada', 10)
  expect(keyed.map(({ offset }) => offset).sort()).toEqual([0, 7])
})

test('lists a memory once that mentions a name in many passages', async () => {
  const text = `Ada kept bees. ${FILLING}`.repeat(12)
  const index = await indexOf([memory('long', { text }), memory('b', { text: 'Ada sold bees and honey', offset: 7 })])
  const about = index
    .inquire('Ada', { limit: 1 })
    .about({ name: ['ada'], saying: ['bee', 'honey'], as: 'anything' }, 10)
  expect(about.map(({ offset }) => offset)).toEqual([7, 0])
})

test('explains which passage matched', async () => {
  const texts = [`${FILLING.repeat(8)}a walrus came by ${FILLING.repeat(8)}`, 'a walrus']
  const index = await indexOf(texts.map((text, offset) => memory(`${offset}`, { text, offset })))
  const [short, long] = index
    .search('walrus', { limit: 2, explain: true })
    .sort((left, right) => right.offset - left.offset)
  expect(short?.explanation?.passage).toBe(0)
  expect(long?.explanation?.passage).toBe(4)
})

test('reads only the matching passage for feedback', async () => {
  const glaze =
    'A kiln bakes clay and melts glaze. The potter stacks bowls on shelves and waits for cones of clay to bend. '
  const farming = 'Barley and oats grew on the lower field, and rooks sat on the fence until the reaper came. '
  const texts = [
    `${farming.repeat(40)}${glaze.repeat(40)}${farming.repeat(40)}`,
    `${farming.repeat(3)}`,
    'The glaze of shelves and bowls by a potter was all of clay, and its cones were bent. '.repeat(2),
    ...Array.from({ length: 12 }, (_, at) => `Minutes of meeting ${at} about the roof, taxes and heating.`)
  ]
  const index = await indexOf(texts.map((text, offset) => memory(`${offset}`, { text, offset })))
  const hits = index.search('kiln', { limit: 10, textOf: ({ offset }) => texts[offset] })
  expect(hits.map(({ offset }) => offset)).toEqual([0, 2])
})
