import { expect, test } from 'vitest'
import { bench, found } from './device-kit.ts'

async function answerTo(query: string, ...texts: readonly string[]) {
  const { device } = await bench()
  await device.store({ text: 'The kitchen needs a new lamp.', at: '2026-01-03', speaker: 'Ann' })
  for (const [at, text] of texts.entries()) await device.store({ text, at: `2026-0${at + 2}-05`, speaker: 'Ann' })
  const outcome = await device.search(query, { explain: true })
  return { texts: found(outcome), facts: outcome.response.semantics }
}

test.each([
  ['who is my dentist', 'My dentist is Dr. Weber.', 'My dentist is Dr. Novak now.'],
  ['gate code', 'The gate code is 7714', 'Correction: the gate code is 4417, not 7714'],
  ['when is the meeting', 'The meeting is on Monday.', 'The meeting was moved to Tuesday.'],
  ['where does my sister live', 'My sister lives in Lisbon.', 'My sister is back in Berlin.'],
  ['alarm code', 'The alarm code is 1234.', 'Actually, the alarm code is 4321.'],
  ['who is my doctor', 'My doctor is Dr. Adams.', 'My new doctor is Dr. Baker.'],
  ['when is the launch', 'The launch is in April.', 'The launch was pushed to May.'],
  ['which room is the workshop in', 'The workshop is in room 4.', 'The workshop was moved to room 9.']
])('puts the newer statement first, and only it as a fact: %s', async (query, before, after) => {
  const { texts, facts } = await answerTo(query, before, after)
  expect(texts.slice(0, 2)).toEqual([after, before])
  expect(facts.filter(({ explanation }) => explanation?.memory !== undefined)[0]).toMatchObject({
    valid_to: null,
    explanation: { memory: { text: after }, supersedes: [{ source_ids: [expect.any(String)] }] }
  })
})

test('returns both statements to a query about the past', async () => {
  const { facts } = await answerTo(
    'what was the gate code before',
    'The gate code is 7714',
    'The gate code is now 4417.'
  )
  expect(facts.map(({ value }) => value).sort()).toEqual(['4417', '7714'])
})

test('keeps the order of memories that state different things', async () => {
  const { texts } = await answerTo('gate', 'The gate is green and the gate is tall.', 'The garden has a gate.')
  expect(texts).toEqual(['The gate is green and the gate is tall.', 'The garden has a gate.'])
})
