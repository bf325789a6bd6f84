import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createIndex, openIndex } from '../../../src/search/search-index.ts'
import { assets, found, indexOf, memory } from '../make-memories.ts'

/** A text of several passages with some words in the middle and at the end. */
const FILLING = 'The board met, heard the report and went home before dark. '.repeat(30)
const longText = (middle: string, end: string): string => `${FILLING}${middle} ${FILLING}${end}`

const LONG = memory('long', { text: longText('walrus', 'narwhal'), offset: 1000 })
const SHORT = memory('short', { text: 'walrus and seal', offset: 2000 })

test('counts, lists and finds a long text as one memory', async () => {
  const index = await indexOf([LONG, SHORT])
  for (const one of [index, await openIndex(assets, index.toBytes())]) {
    expect(one.count).toBe(2)
    expect([...one.ids()].map((id) => Buffer.from(id).toString('hex')).sort()).toEqual(
      [LONG, SHORT].map(({ id }) => Buffer.from(id).toString('hex')).sort()
    )
    expect(one.find(LONG.id)).toMatchObject({ offset: 1000 })
    expect(found(one, 'board')).toEqual([1000])
    expect(found(one, 'narwhal')).toEqual([1000])
    expect(new Set(found(one, 'walrus'))).toEqual(new Set([1000, 2000]))
  }
})

test('removes a long text completely, committed or not, and leaves none of its bytes', async () => {
  for (const commits of [true, false]) {
    const index = await indexOf([SHORT])
    index.add(LONG)
    if (commits) index.commit()
    expect([index.remove(LONG.id), index.count]).toEqual([true, 1])
    const bytes = Buffer.from(index.toBytes())
    expect([bytes.includes('narwhal'), bytes.includes(Buffer.from(LONG.id))]).toEqual([false, false])
    expect([found(index, 'narwhal'), found(index, 'board'), found(index, 'walrus')]).toEqual([[], [], [2000]])
    expect([index.remove(LONG.id), index.count]).toEqual([false, 1])
  }
})

test('replaces a long text with a short one and vice versa', async () => {
  const index = await indexOf([LONG, SHORT])
  index.add({ ...LONG, text: 'just an otter' })
  index.add({ ...SHORT, text: longText('manatee', 'dugong') })
  expect([index.count, found(index, 'narwhal'), found(index, 'otter')]).toEqual([2, [], [1000]])
  expect([found(index, 'dugong'), found(index, 'seal')]).toEqual([[2000], []])
})

test('keeps the passages of long turns while segments are added, merged and removed', async () => {
  const turn = (at: number) =>
    memory(`${at}`, {
      text: at % 3 === 0 ? longText(`middle${at}`, `end${at}`) : `turn${at}`,
      ...{ conversation: `c${at % 2}`, position: at, offset: at }
    })
  const index = await createIndex(assets)
  for (let at = 0; at < 40; at++) {
    index.add(turn(at))
    if (at % 4 === 3) index.commit()
  }
  for (let at = 0; at < 40; at += 5) index.remove(turn(at).id)
  for (const one of [index, await openIndex(assets, index.toBytes())]) {
    expect(one.count).toBe(32)
    for (let at = 0; at < 40; at++) {
      for (const word of at % 3 === 0 ? [`middle${at}`, `end${at}`] : []) {
        expect(found(one, word)[0]).toBe(at % 5 === 0 ? undefined : at)
      }
    }
  }
})

test('finds, counts and removes each of many long texts by its id', async () => {
  const texts = Array.from({ length: 120 }, (_, at) =>
    memory(`${at}`, { text: longText(`middle${at}`, `end${at}`), offset: at })
  )
  const index = await openIndex(assets, (await indexOf(texts)).toBytes())
  for (const { id, offset } of texts) expect(index.find(id)).toMatchObject({ offset })
  for (const { id } of texts.slice(20)) expect(index.remove(id)).toBe(true)
  expect([index.count, found(index, 'board', 200).length]).toEqual([20, 20])
})

test('finds every memory by a rare word, at any place of a long text', async () => {
  const filler = fc.constantFrom(
    FILLING,
    'x'.repeat(2100),
    '山里的窑在天亮以前点火'.repeat(60),
    '窑𠀀'.repeat(300),
    'é '.repeat(1500)
  )
  const some = fc.record({ filler, at: fc.double({ min: 0, max: 1, noNaN: true }), spaced: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(some, { minLength: 1, maxLength: 6 }), async (made) => {
      const words = made.map((_, number) => `zq${'abcdef'[number]}v`)
      const documents = made.map(({ filler, at, spaced }, number) => {
        const cut = Array.from(filler)
          .slice(0, Math.floor(at * filler.length))
          .join('')
        const word = spaced || !/\p{Script=Han}$/u.test(cut) ? ` ${words[number]} ` : (words[number] ?? '')
        return memory(`${number}`, { text: `${cut}${word} ${filler}`, offset: number })
      })
      const index = await indexOf(documents)
      for (const [number, word] of words.entries()) expect(found(index, word)).toEqual([number])
      index.close()
    }),
    { numRuns: process.env.SLOW ? 300 : 15 }
  )
})
