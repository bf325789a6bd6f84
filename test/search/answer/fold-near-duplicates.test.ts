import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MemoryRecord } from '../../../src/contract/snapshot.ts'
import { foldNearDuplicates } from '../../../src/search/answer/fold-near-duplicates.ts'
import { asking, idOf, record } from './answer-kit.ts'

const LONG = `The boiler in the cellar is serviced every autumn before the heating season starts. The company that services it
  keeps a key to the garden gate, rings once, and leaves the bill on the shelf beside the water meter. Whoever opens the
  valve by hand closes it slowly, waits for the pressure to fall, and writes the value into the small green notebook.
  A spare pump lies under the stairs, wrapped in a blanket, with its papers and a bag of seals. It was tried once, ran
  without noise for an hour, and was put back. Filters are changed twice a year, after the pollen and after the leaves;
  old ones go into the grey bin and not into the stove. When the lamp at the door blinks red, the cellar is damp.`

/** Returns the names of the memories that each entry represents. */
function folded(records: readonly MemoryRecord[], limit = 10): string[][] {
  const names = new Map(records.map(({ id }, place) => [id, 'abcdefgh'[place] ?? '']))
  const candidates = records.map((one, place) => ({ record: one, score: 1 - place / 100, explanation: undefined }))
  return foldNearDuplicates(candidates, limit).map(({ ids }) => ids.map((id) => names.get(id) ?? ''))
}

function pair(left: Partial<MemoryRecord>, right: Partial<MemoryRecord>): MemoryRecord[] {
  return [record('left', left), record('right', right)]
}

const LATER = '2025-01-01T00:00:00.000Z'

test.each([
  [
    'the same words with other case, spaces and punctuation',
    { text: 'Black tea, please!' },
    { text: 'black  tea please' }
  ],
  [
    'equal words by the same speaker at the same time',
    { text: 'Yes', speaker: 'Ada' },
    { text: 'yes', speaker: 'ada' }
  ],
  [
    'a conversation that was imported twice',
    { text: 'Yes', speaker: 'Ada', conversation: 'a' },
    { text: 'Yes', speaker: 'Ada', conversation: 'b' }
  ],
  ['a document that was stored twice', { text: LONG }, { text: LONG, at: LATER }],
  ['a document with and without its author', { text: LONG, speaker: 'Ada' }, { text: LONG, at: LATER }],
  ['a document with a corrected word', { text: LONG }, { text: LONG.replace('serviced', 'servised'), at: LATER }],
  ['a document with a line added', { text: LONG }, { text: `${LONG} Sent on by Bo` }],
  ['texts without words', { text: ':-)' }, { text: ' :-) ' }]
])('makes one entry of %s', (_, left, right) => {
  expect(folded(pair(left, right))).toEqual([['a', 'b']])
})

test.each([
  ['the same short answer by two people', { text: 'Yes', speaker: 'Ada' }, { text: 'Yes', speaker: 'Bo' }],
  [
    'the same words at two times',
    { text: 'Went for a run', speaker: 'Ada' },
    { text: 'Went for a run', speaker: 'Ada', at: LATER }
  ],
  ['a short note stored twice', { text: 'Went for a run' }, { text: 'Went for a run', at: LATER }],
  [
    'two turns of one conversation',
    { text: 'Thanks!', speaker: 'Ada', conversation: 'a', position: 1 },
    { text: 'Thanks!', speaker: 'Ada', conversation: 'a', position: 3 }
  ],
  ['a long text by two people', { text: LONG, speaker: 'Ada' }, { text: LONG, speaker: 'Bo' }],
  ['texts with different numbers', { text: `${LONG} It cost 120.` }, { text: `${LONG} It cost 140.` }],
  ['texts with different names', { text: `${LONG} Ask Ada.` }, { text: `${LONG} Ask Bo.` }],
  ['a statement and its negation', { text: `${LONG} It is safe.` }, { text: `${LONG} It is not safe.` }],
  ['texts of different punctuation without words', { text: ':-)' }, { text: ':-(' }]
])('makes two entries of %s', (_, left, right) => {
  expect(folded(pair(left, right))).toEqual([['a'], ['b']])
})

test('represents near-duplicates by the best one, and counts only distinct entries towards the limit', () => {
  const texts = ['tea', 'Tea', 'milk', 'TEA.', 'sugar', 'bread']
  const records = texts.map((text, place) => record(String(place), { text }))
  expect(folded(records, 3)).toEqual([['a', 'b', 'd'], ['c'], ['e']])
})

test('searches for copies a little beyond the last entry, and reads nothing more', () => {
  let reads = 0
  function* many() {
    for (let place = 0; place < 100; place++) {
      reads++
      const text = place === 5 ? 'drink 0' : `drink ${place}`
      yield { record: record(String(place), { text }), score: 1, explanation: undefined }
    }
  }
  const [first] = foldNearDuplicates(many(), 2)
  expect(first?.ids).toEqual([idOf('0'), idOf('5')])
  expect(reads).toBe(10)
})

test('lists the copies of a source, and fills the answer despite copies', async () => {
  const copies = Array.from({ length: 30 }, (_, copy) => record(`copy ${copy}`, { text: 'black tea' }))
  const { ask } = await asking([...copies, record('other', { text: 'a cup of black tea with milk' })])
  const [best, other, ...rest] = ask('black tea', { limit: 2 }).sources
  expect(best?.source_ids).toHaveLength(30)
  expect(best?.source_ids[0]).toBe(best?.id)
  expect([other?.id, rest]).toEqual([idOf('other'), []])
})

test('keeps every memory in exactly one entry', () => {
  const texts = fc.constantFrom('Yes', 'yes!', 'no', LONG, `${LONG} 7`, `${LONG} not`, LONG.toUpperCase())
  const speakers = fc.constantFrom('Ada', 'Bo', undefined)
  fc.assert(
    fc.property(fc.array(fc.record({ text: texts, speaker: speakers }), { maxLength: 8 }), (all) => {
      const entries = folded(all.map((one, place) => record(String(place), one)))
      expect(entries.flat().sort()).toEqual([...'abcdefgh'].slice(0, all.length))
    })
  )
})
