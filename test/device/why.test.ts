import { expect, test } from 'vitest'
import { bench, faultOf } from './device-kit.ts'

test('explains the facts of a memory: rule, words, and what other memories say about them', async () => {
  const { device } = await bench()
  const oslo = await device.store({ text: 'Ada lives in Oslo.', at: '2020-01-01', speaker: 'Ben' })
  const lisbon = await device.store({ text: 'Ada lives in Lisbon.', at: '2022-01-01', speaker: 'Ben' })
  const again = await device.store({ text: 'Ada lives in Lisbon.', at: '2023-01-01', speaker: 'Eva' })
  const { record, line, forgotten, report } = await device.why(lisbon.id)
  expect({ id: record.id, line, forgotten }).toEqual({ id: lisbon.id, line: 3, forgotten: false })
  expect(report).toMatchObject({ superseded_by: null, supersedes: [], procedures: [] })
  expect(report.facts).toMatchObject([
    {
      ...{ subject: 'Ada', predicate: 'lives in', value: 'Lisbon', rule: expect.any(String), span: [0, 19] },
      ...{ valid_from: '2022-01-01T00:00:00.000Z', valid_to: null },
      corroborated_by: [again.id],
      contradicted_by: [],
      supersedes: [{ value: 'Oslo', source_ids: [oslo.id] }],
      superseded_by: []
    }
  ])
  const { facts } = (await device.why(oslo.id)).report
  expect(facts).toMatchObject([{ valid_to: '2022-01-01T00:00:00.000Z', superseded_by: [{ value: 'Lisbon' }] }])
})

test('finds memories that state a fact with several values too', async () => {
  const { device } = await bench()
  const one = await device.store({ text: 'Ada likes tea.', speaker: 'Ben' })
  const other = await device.store({ text: 'Ada likes tea.', speaker: 'Eva' })
  expect((await device.why(one.id)).report.facts).toMatchObject([{ corroborated_by: [other.id] }])
})

test('names the memory that supersedes one, and the memories that it supersedes', async () => {
  const { device } = await bench()
  const old = await device.store({ text: 'The gate code is 7714.', at: '2026-01-01' })
  const { id, at } = await device.correct(old.id, 'The gate code is 4417.')
  expect((await device.why(old.id)).report).toMatchObject({ superseded_by: { id, at }, supersedes: [] })
  expect((await device.why(id)).report).toMatchObject({ superseded_by: null, supersedes: [old.id] })
})

test('explains a forgotten memory whose line is still in the file, and refuses an unknown one', async () => {
  const { device } = await bench()
  const { id } = await device.store({ text: 'Ada likes tea.' })
  await device.forget([id])
  expect(await device.why(id)).toMatchObject({ forgotten: true, report: { facts: [{ value: 'tea' }] } })
  expect(await faultOf(() => device.why('mem_000000'))).toMatchObject({ code: 'not_found' })
})
