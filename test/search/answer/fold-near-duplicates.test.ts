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

/** The names of the memories that each entry stands for. */
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
  ['the same words but for case, spaces and signs', { text: 'Black tea, please!' }, { text: 'black  tea please' }],
  [
    'the same said by the same speaker at the same time',
    { text: 'Yes', speaker: 'Ada' },
    { text: 'yes', speaker: 'ada' }
  ],
  [
    'a talk that was taken in twice',
    { text: 'Yes', speaker: 'Ada', conversation: 'a' },
    { text: 'Yes', speaker: 'Ada', conversation: 'b' }
  ],
  ['a document that was kept twice', { text: LONG }, { text: LONG, at: LATER }],
  ['a document with and without its author', { text: LONG, speaker: 'Ada' }, { text: LONG, at: LATER }],
  ['a document with a word put right', { text: LONG }, { text: LONG.replace('serviced', 'servised'), at: LATER }],
  ['a document with a line added', { text: LONG }, { text: `${LONG} Sent on by Bo` }],
  ['what has no words', { text: ':-)' }, { text: ' :-) ' }]
])('one entry for %s', (_, left, right) => {
  expect(folded(pair(left, right))).toEqual([['a', 'b']])
})

test.each([
  ['two people who say yes', { text: 'Yes', speaker: 'Ada' }, { text: 'Yes', speaker: 'Bo' }],
  [
    'the same said at two times',
    { text: 'Went for a run', speaker: 'Ada' },
    { text: 'Went for a run', speaker: 'Ada', at: LATER }
  ],
  ['a short note written down twice', { text: 'Went for a run' }, { text: 'Went for a run', at: LATER }],
  [
    'two turns of one talk',
    { text: 'Thanks!', speaker: 'Ada', conversation: 'a', position: 1 },
    { text: 'Thanks!', speaker: 'Ada', conversation: 'a', position: 3 }
  ],
  ['a long text that two people say', { text: LONG, speaker: 'Ada' }, { text: LONG, speaker: 'Bo' }],
  ['another number', { text: `${LONG} It cost 120.` }, { text: `${LONG} It cost 140.` }],
  ['another name', { text: `${LONG} Ask Ada.` }, { text: `${LONG} Ask Bo.` }],
  ['what is denied', { text: `${LONG} It is safe.` }, { text: `${LONG} It is not safe.` }],
  ['other signs where there are no words', { text: ':-)' }, { text: ':-(' }]
])('two entries for %s', (_, left, right) => {
  expect(folded(pair(left, right))).toEqual([['a'], ['b']])
})

test('the best stands for all, and the limit counts what differs', () => {
  const texts = ['tea', 'Tea', 'milk', 'TEA.', 'sugar', 'bread']
  const records = texts.map((text, place) => record(String(place), { text }))
  expect(folded(records, 3)).toEqual([['a', 'b', 'd'], ['c'], ['e']])
})

test('copies are looked for a little further than the last entry, and no more is read', () => {
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

test('an answer names the copies of a source, and copies do not shorten it', async () => {
  const copies = Array.from({ length: 30 }, (_, copy) => record(`copy ${copy}`, { text: 'black tea' }))
  const { ask } = await asking([...copies, record('other', { text: 'a cup of black tea with milk' })])
  const [best, other, ...rest] = ask('black tea', { limit: 2 }).sources
  expect(best?.source_ids).toHaveLength(30)
  expect(best?.source_ids[0]).toBe(best?.id)
  expect([other?.id, rest]).toEqual([idOf('other'), []])
})

test('no memory is lost, and each stands in one entry', () => {
  const texts = fc.constantFrom('Yes', 'yes!', 'no', LONG, `${LONG} 7`, `${LONG} not`, LONG.toUpperCase())
  const speakers = fc.constantFrom('Ada', 'Bo', undefined)
  fc.assert(
    fc.property(fc.array(fc.record({ text: texts, speaker: speakers }), { maxLength: 8 }), (all) => {
      const entries = folded(all.map((one, place) => record(String(place), one)))
      expect(entries.flat().sort()).toEqual([...'abcdefgh'].slice(0, all.length))
    })
  )
})
