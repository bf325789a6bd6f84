import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Fault } from '../../src/contract/faults.ts'
import { batchOf, bench, faultOf, streamOf } from './device-kit.ts'

const TALK = [
  { raw_text: 'We sailed to the island with my brother', speaker: 'Ada', conversation: 'c', position: 1 },
  { raw_text: 'The weather was kind all week', speaker: 'Bo', conversation: 'c', position: 2 },
  { raw_text: 'My brother repairs clocks for a living', speaker: 'Ada', conversation: 'd', position: 1 },
  { raw_text: 'Rust spreads under old paint', speaker: 'Bo', conversation: 'e', position: 1 }
].map((line, at) => ({ ...line, at: `2024-0${at + 1}-01T10:00:00.000Z` }))

const QUERY = 'sailing with the brother to the island'

async function talked() {
  const made = await bench()
  await made.device.storeBatch(streamOf(batchOf(...TALK)))
  const ids = [...made.device.list().records].map(({ id }) => id)
  return { ...made, ids: { sail: ids[0] ?? '', weather: ids[1] ?? '', clocks: ids[2] ?? '', rust: ids[3] ?? '' } }
}

test('reports the position of a displayed memory', async () => {
  const { device, ids } = await talked()
  const { report, damaged } = await device.whyNot(QUERY, ids.sail)
  expect(report).toMatchObject({ id: ids.sail, rank: 1, entry: 1, reasons: [{ reason: 'shown', entry: 1 }] })
  expect(report.best).toMatchObject({ id: ids.sail, score: report.score })
  expect(damaged).toEqual([])
})

test('reports the rank of a hidden memory and what it lacks, most important first', async () => {
  const { device, ids } = await talked()
  const { report } = await device.whyNot(QUERY, ids.clocks.slice(0, 12), { limit: 1 })
  expect(report.reasons).toEqual([{ reason: 'others_fit_better', before: (report.rank ?? 0) - 1, limit: 1 }])
  expect(report).toMatchObject({ shown: 1, entry: null, best: { id: ids.sail } })
  expect(report.score).toBeLessThan(report.last_score ?? 0)
  const lacks = report.compared.map(({ part, best_part }) => best_part - part)
  expect(lacks).toEqual([...lacks].sort((left, right) => right - left))
  const island = report.compared.find(({ asked }) => asked === 'island')
  expect(island).toMatchObject({ kind: 'term', part: 0, said: [], best_said: [{ as: 'word', written: 'island' }] })
  expect(report.compared.find(({ asked }) => asked === 'brother')?.said).toMatchObject([{ written: 'brother' }])
})

test('reports the query terms that a memory without any of them lacks, as the query spells them', async () => {
  const { device, ids } = await talked()
  const { report } = await device.whyNot(QUERY, ids.rust)
  expect(report).toMatchObject({ rank: null, entry: null, score: 0 })
  expect(report.reasons).toEqual([{ reason: 'nothing_in_it', looked_for: ['sailing', 'brother', 'island'] }])
})

test('reports that a query has nothing to search for', async () => {
  const { device, ids } = await talked()
  expect((await device.whyNot('', ids.sail)).report).toMatchObject({
    found: 0,
    reasons: [{ reason: 'nothing_asked' }]
  })
})

test('reports the time of a memory that is later than as_of', async () => {
  const { device, ids } = await talked()
  const { report } = await device.whyNot(QUERY, ids.clocks, { known_at: '2024-02-15T00:00:00Z' })
  expect(report.reasons).toEqual([{ reason: 'later', at: '2024-03-01T10:00:00.000Z' }])
})

test('reports a forgotten memory, even by a prefix, as soon as its forget line exists', async () => {
  const { device, ids, another } = await talked()
  await device.search(QUERY)
  await another().forget([ids.sail])
  const { report } = await device.whyNot(QUERY, ids.sail.slice(0, 14))
  expect(report).toMatchObject({ id: ids.sail, text: null, rank: null, reasons: [{ reason: 'forgotten' }] })
})

test('reports which memory represents a copy', async () => {
  const { device } = await bench()
  const text = `${'The committee met and talked about the harbour wall and who would pay for it, at length. '.repeat(3)}End.`
  const first = await device.store({ text, at: '2024-01-01T00:00:00Z' })
  for (let nth = 0; nth < 150; nth++)
    await device.store({ text: `Note ${nth} on the harbour`, at: '2023-01-01T00:00:00Z' })
  const copy = await device.store({ text, at: '2023-01-01T00:00:00Z' })
  const { report } = await device.whyNot('harbour wall', copy.id)
  expect(report).toMatchObject({ entry: 1, reasons: [{ reason: 'same_as', id: first.id }] })
})

test('reports the original of a copy that is too far behind to be folded', async () => {
  const { device } = await bench()
  const text = `${'The committee met and talked about the harbour wall and who would pay for it, at length. '.repeat(3)}End.`
  const first = await device.store({ text, at: '2024-05-06T00:00:00Z' })
  for (let nth = 0; nth < 20; nth++) {
    const survey = `Survey ${nth}. ${'The council met and talked about the old tower and who would keep it. '.repeat(3)}`
    await device.store({ text: survey, at: '2024-06-06T00:00:00Z' })
  }
  const elsewhere = Array.from({ length: 150 }, (_, nth) => `Note ${nth} on the harbour`)
  for (const note of elsewhere) await device.store({ text: note, at: '2023-01-01T00:00:00Z' })
  const copy = await device.store({ text, at: '2023-01-01T00:00:00Z' })
  const { report } = await device.whyNot('harbour 6 May 2024', copy.id, { limit: 1 })
  expect(report).toMatchObject({ entry: null, best: { id: first.id }, reasons: [{ reason: 'same_as', id: first.id }] })
  expect(report.rank).toBeGreaterThan(10)
})

test.each([
  ['an unknown id', `mem_${'0'.repeat(32)}`, 'not_found', 'no memory'],
  ['a prefix that is too short', 'mem_12345', 'usage', 'too short'],
  ['an invalid id', 'mem_xyz', 'usage', 'invalid memory id'],
  ['the id of a fact', `fct_${'0'.repeat(32)}`, 'usage', 'source_ids']
])('throws a fault for %s', async (_name, id, ...[code, words]) => {
  const { device } = await talked()
  const fault = (await faultOf(() => device.whyNot(QUERY, id))) as Fault
  expect(fault).toBeInstanceOf(Fault)
  expect([fault.code, `${fault.message} ${fault.hint}`]).toEqual([code, expect.stringContaining(words)])
})

test('examines the valid part of a damaged file, and names the damage', async () => {
  const { device, ids, path, lines } = await talked()
  writeFileSync(
    path,
    lines()
      .map((line, at) => `${at === 2 ? line.slice(0, -5) : line}\n`)
      .join('')
  )
  const { report, damaged } = await device.whyNot(QUERY, ids.sail)
  expect(damaged).toMatchObject([{ line: 3 }])
  expect(report.rank).toBe(1)
  expect(await faultOf(() => device.whyNot(QUERY, ids.weather))).toMatchObject({ code: 'not_found' })
})
