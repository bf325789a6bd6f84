import { expect } from 'vitest'
import { OUTCOMES } from '../../server/storage/port/record-batch.ts'
import {
  allTexts,
  batchOf,
  checkOf,
  forget,
  idsOf,
  memory,
  sortedIds,
  type TestLine
} from '../server/storage/record-lines.ts'
import { idAt, newCollection, type Open, type StorageTests } from './storage-place.ts'

const { stored, known, forgotten } = OUTCOMES

/** Tests the outcome of appended lines. */
export const APPEND_TESTS: StorageTests = {
  'assigns the next sequence numbers to lines, which are stored when it resolves': async (open) => {
    const append = await appender(open)
    expect(await append([memory('a'), memory('b')])).toEqual([stored, stored])
    expect(await append([memory('c')])).toEqual([stored])
    expect(await append.texts()).toEqual(['1 a', '2 b', '3 c'])
    expect(await append.counts()).toEqual({ memories: 3, seq: 3 })
  },

  'changes nothing when the same line is appended again': async (open) => {
    const append = await appender(open)
    await append([memory('a'), forget('b'), { kind: 'unknown', about: '', text: 'later kind' }])
    const again = await append([memory('a'), forget('b'), { kind: 'unknown', about: '', text: 'later kind' }])
    expect(again).toEqual([known, known, known])
    expect(await append.counts()).toEqual({ memories: 1, seq: 3 })
  },

  'changes nothing without lines': async (open) => {
    const append = await appender(open)
    expect(await append([])).toEqual([])
    expect(await append.counts()).toEqual({ memories: 0, seq: 0 })
  },

  'keeps the line with the higher extractor of several with one id, under a new number': async (open) => {
    const append = await appender(open)
    await append([{ ...memory('a', 'old'), extractor: 2 }, memory('b')])
    expect(await append([{ ...memory('a', 'older'), extractor: 1, time: 1 }])).toEqual([known])
    expect(await append([{ ...memory('a', 'new'), extractor: 3 }])).toEqual([stored])
    expect(await append.texts()).toEqual(['2 b', '3 new'])
    expect(await append.counts()).toEqual({ memories: 2, seq: 3 })
  },

  'prefers the earlier time for equal extractors, and the smaller check for equal times': async (open) => {
    const append = await appender(open)
    await append([{ ...memory('a', 'late'), time: 9 }])
    await append([{ ...memory('a', 'early'), time: -9 }])
    await append([{ ...memory('a', 'late again'), time: 10 }])
    expect(await append.texts()).toEqual(['2 early'])
    const [smaller = '', larger = ''] = ['one', 'two'].sort((one, other) =>
      Buffer.compare(checkOf(memory('b', one)), checkOf(memory('b', other)))
    )
    await append([memory('b', larger)])
    await append([memory('b', smaller)])
    await append([memory('b', larger)])
    expect(await append.texts()).toEqual(['2 early', `4 ${smaller}`])
  },

  'removes a memory by its forget line permanently': async (open) => {
    const append = await appender(open)
    await append([memory('a'), memory('b')])
    expect(await append([forget('a')])).toEqual([stored])
    expect(await append([{ ...memory('a', 'better'), extractor: 99 }])).toEqual([forgotten])
    expect(await append.texts()).toEqual(['2 b', '3 forget a 5'])
    expect(await append.counts()).toEqual({ memories: 1, seq: 3 })
    expect(await append.ids()).toEqual(sortedIds(['a', 'b']))
  },

  'forgets a memory that was never stored': async (open) => {
    const append = await appender(open)
    await append([forget('a')])
    expect(await append([memory('a')])).toEqual([forgotten])
    expect(await append.counts()).toEqual({ memories: 0, seq: 1 })
  },

  'keeps the earlier of two forget lines for one memory': async (open) => {
    const append = await appender(open)
    await append([forget('a', 7)])
    expect(await append([forget('a', 8)])).toEqual([known])
    expect(await append([forget('a', 6)])).toEqual([stored])
    expect(await append.texts()).toEqual(['2 forget a 6'])
  },

  'applies the lines of one batch one after another': async (open) => {
    const append = await appender(open)
    const better = { ...memory('a', 'better'), extractor: 2 }
    const outcomes = await append([
      memory('a'),
      better,
      memory('a'),
      forget('b'),
      memory('b'),
      memory('c'),
      forget('c')
    ])
    expect(outcomes).toEqual([stored, stored, known, stored, forgotten, stored, stored])
    expect(await append.texts()).toEqual(['1 better', '2 forget b 5', '3 forget c 5'])
    expect(await append.counts()).toEqual({ memories: 1, seq: 3 })
  },

  'stores a line of unknown kind once by its check, and does not list it as a known id': async (open) => {
    const append = await appender(open)
    await append([{ kind: 'unknown', about: '', text: 'x' }])
    await append([{ kind: 'unknown', about: '', text: 'y' }])
    await append([{ kind: 'unknown', about: '', text: 'x' }])
    expect(await append.texts()).toEqual(['1 x', '2 y'])
    expect(await append.counts()).toEqual({ memories: 0, seq: 2 })
    expect(await append.ids()).toEqual([])
  },

  'removes a line of unknown kind when a memory that it is about is forgotten': async (open) => {
    const append = await appender(open)
    const derived = { kind: 'unknown', about: '', text: 'x', targets: ['a', 'b'] } as const
    const other = { kind: 'unknown', about: '', text: 'y', targets: ['c'] } as const
    await append([memory('a'), memory('b'), derived, other])
    expect(await append([forget('b')])).toEqual([stored])
    expect(await append.texts()).toEqual(['1 a', '4 y', '5 forget b 5'])
    expect(await append([derived, other])).toEqual([forgotten, known])
    expect(await append.counts()).toEqual({ memories: 1, seq: 5 })
  },

  'stores no line of unknown kind about a memory that the same batch forgets': async (open) => {
    const append = await appender(open)
    const derived = { kind: 'unknown', about: '', text: 'x', targets: ['a'] } as const
    expect(await append([derived, memory('a'), forget('a')])).toEqual([forgotten, stored, stored])
    expect(await append.texts()).toEqual(['1 forget a 5'])
  },

  'appends more lines than fit into one statement together': async (open) => {
    const append = await appender(open)
    const abouts = Array.from({ length: 5000 }, (_, n) => `memory ${n}`)
    await append(abouts.slice(0, 10).map((about) => memory(about)))
    const outcomes = await append(abouts.map((about) => memory(about)))
    expect(outcomes.filter((outcome) => outcome === known)).toHaveLength(10)
    expect(await append.counts()).toEqual({ memories: 5000, seq: 5000 })
    expect(await append.ids()).toEqual(sortedIds(abouts))
  },

  'returns the longest line and one with all kinds of characters unchanged': async (open) => {
    const append = await appender(open)
    const long = 'x'.repeat(16 * 1024 * 1024 - 1000)
    await append([memory('a', long), memory('b', '\u0000é\ud7ff')])
    const texts = await append.texts()
    expect([texts[0]?.length, texts[1]]).toEqual([long.length + 2, '2 \u0000é\ud7ff'])
  }
}

/** Creates a collection and a function that appends to it. */
async function appender(open: Open) {
  const storage = await open()
  const id = idAt(1)
  await storage.createCollection(newCollection(1))
  const append = async (lines: TestLine[]) => [...(await storage.append(id, batchOf(lines))).outcomes]
  return Object.assign(append, {
    texts: async () => (await allTexts(storage, id)).map(([seq, text]) => `${seq} ${text}`),
    ids: async () => idsOf(await storage.listKnownIds(id)),
    counts: async () => {
      const { memories, seq } = (await storage.findCollection(id)) ?? {}
      return { memories, seq }
    }
  })
}
