import { expect, test } from 'vitest'
import { UnusableIndex } from '../../../src/search/index/seal-bytes.ts'
import { createIndex, openIndex } from '../../../src/search/search-index.ts'
import { assets, found, hashOf, indexOf, memory, textsIndex } from '../make-memories.ts'

test('finds a text by any inflection of its words', async () => {
  const index = await textsIndex('the dogs were running', 'a cat slept')
  expect(found(index, 'dog run')).toEqual([0])
})

test.each(['to be or not to be', '!@#$%^&*()', '\u0001\u0002', '田中さんにあげて下さい', '👍', '﷽', '１２３', '%s%n'])(
  'finds the text %j by itself',
  async (text) => {
    const index = await textsIndex('something else', text)
    expect(found(index, text)).toEqual([1])
  }
)

test('finds nothing in an empty index or for an empty query', async () => {
  const empty = await createIndex(assets)
  expect(found(empty, 'dog')).toEqual([])
  expect(found(await textsIndex('dog'), '')).toEqual([])
})

test('returns scores as parts of the attainable score, best first', async () => {
  const index = await textsIndex('red', 'red green', 'red green blue red green blue', 'grey')
  const scores = index.search('red green blue', { limit: 10 }).map(({ score }) => score)
  expect(scores).toEqual([...scores].sort((left, right) => right - left))
  for (const score of scores) {
    expect(score).toBeGreaterThan(0)
    expect(score).toBeLessThanOrEqual(1)
  }
})

test('leaves no byte of a removed document', async () => {
  const secret = memory('secret', { text: 'zebrafish quicksilver', speaker: 'Wilhelmina', conversation: 'hideaway' })
  const others = Array.from({ length: 300 }, (_, at) => memory(`${at}`, { text: `common words ${at}` }))
  const index = await indexOf([...others, secret])
  const before = Buffer.from(index.toBytes())
  expect(['zebrafish', 'quicksilv', 'wilhelmina', 'hideaway'].map((word) => before.includes(word))).toEqual(
    Array(4).fill(true)
  )
  index.remove(secret.id)
  const after = Buffer.from(index.toBytes())
  for (const word of ['zebra', 'quicksilv', 'wilhelmin', 'hideaway']) expect(after.includes(word)).toBe(false)
  expect(after.includes(Buffer.from(secret.id))).toBe(false)
  expect(after.includes(Buffer.from(secret.check.subarray(0, 8)))).toBe(false)
})

test('leaves no byte of a document that was removed before it was committed', async () => {
  const index = await indexOf(Array.from({ length: 30 }, (_, at) => memory(`${at}`)))
  const secret = memory('secret', { text: 'zebrafish', conversation: 'hideaway' })
  index.add(secret)
  index.remove(secret.id)
  const bytes = Buffer.from(index.toBytes())
  expect([bytes.includes('zebrafish'), bytes.includes('hideaway')]).toEqual([false, false])
  expect(index.count).toBe(30)
})

test('detects every damaged byte and every truncation', async () => {
  const bytes = (await textsIndex('one', 'two')).toBytes()
  for (let at = 0; at < bytes.length; at += 997) {
    const damaged = Uint8Array.from(bytes)
    damaged[at] = (damaged[at] ?? 0) ^ 1
    await expect(openIndex(assets, damaged)).rejects.toMatchObject({ name: 'UnusableIndex', reason: 'damaged' })
  }
  for (const length of [0, 10, 32, 100, bytes.length - 1]) {
    await expect(openIndex(assets, bytes.subarray(0, length))).rejects.toThrow(UnusableIndex)
  }
})

test('rejects sealed bytes of another file or version', async () => {
  const other = Buffer.from('not a database at all')
  await expect(openIndex(assets, Buffer.concat([other, hashOf(other.toString())]))).rejects.toThrow(UnusableIndex)
  const { sealBytes, unsealBytes } = await import('../../../src/search/index/seal-bytes.ts')
  const file = Uint8Array.from(unsealBytes((await textsIndex('one')).toBytes()))
  new DataView(file.buffer).setInt32(60, 999)
  await expect(openIndex(assets, sealBytes(file))).rejects.toMatchObject({ reason: 'other_version' })
})

test('keeps stored values through every kind of commit', async () => {
  const index = await textsIndex('one', 'two')
  index.setMeta('cover', { end: 12, blocks: ['ab\u0000\ud800'], none: null })
  index.setMeta('gone', 1)
  index.setMeta('gone', undefined)
  index.remove(memory('0').id)
  const opened = await openIndex(assets, index.toBytes())
  expect(opened.meta('cover')).toEqual({ end: 12, blocks: ['ab\u0000\ud800'], none: null })
  expect(opened.meta('gone')).toBeUndefined()
})

test('keeps few segments and all documents after many small commits', async () => {
  const index = await createIndex(assets)
  for (let at = 0; at < 60; at++) {
    index.add(memory(`${at}`, { text: `step ${at}`, offset: at }))
    index.commit()
  }
  expect(index.count).toBe(60)
  expect(found(index, 'step', 100)).toHaveLength(60)
  expect(found(index, '47')).toEqual([47])
})

test('stores numbers at the limits of their range', async () => {
  const far = memory('far', { at: -62_135_596_800_000, offset: 2 ** 45, length: 16_777_216, extractor: 2 ** 53 - 1 })
  const positions = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 0].map((position) =>
    memory(`${position}`, { position, conversation: 'c', extractor: 0 })
  )
  const index = await openIndex(assets, (await indexOf([far, ...positions])).toBytes())
  for (const { id, at, offset, length, extractor } of [far, ...positions]) {
    expect(index.find(id)).toMatchObject({ at, offset, length, extractor })
  }
})

test('frees the memory of a closed index', async () => {
  const bytes = (await textsIndex('one', 'two')).toBytes()
  for (let time = 0; time < 2500; time++) {
    const index = await openIndex(assets, bytes)
    if (time % 100 === 0) expect(found(index, 'two')).toEqual([1])
    index.close()
  }
})
