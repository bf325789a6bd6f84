import { expect, test } from 'vitest'
import { batchOf, bench, streamOf } from './device-kit.ts'

/** From texts to answers, with the real extractor. */

async function talks() {
  const made = await bench()
  const said = (at: string, raw_text: string, more: object = {}) => ({ at, raw_text, speaker: 'Ada', ...more })
  await made.device.storeBatch(
    streamOf(
      batchOf(
        said('2021-03-01', 'I live in Oslo.', { conversation: 'a' }),
        said('2021-03-01', 'I work at Nordwind.', { conversation: 'a' }),
        said('2023-05-10', 'I live in Lisbon.'),
        said('2023-06-01', 'I prefer green tea over coffee.'),
        said('2023-06-02', 'Always lock the boathouse.', { speaker: 'Bo' })
      )
    )
  )
  return made
}

test('answers with facts, current or as of a time', async () => {
  const { device } = await talks()
  const homes = async (query: string, as_of?: string) => {
    const { semantics } = (await device.search(query, { as_of })).response
    return semantics.filter(({ predicate }) => /live/.test(predicate)).map(({ subject, value }) => [subject, value])
  }
  expect(await homes('Where does Ada live?')).toEqual([['Ada', 'Lisbon']])
  expect(await homes('Where does Ada live?', '2022-01-01')).toEqual([['Ada', 'Oslo']])
  expect(await homes('Where did Ada live before?')).toEqual([
    ['Ada', 'Lisbon'],
    ['Ada', 'Oslo']
  ])
})

test('answers with preferences and rules as procedures', async () => {
  const { device } = await talks()
  const first = async (query: string) => (await device.search(query)).response.procedures[0]
  expect(await first('What does Ada prefer?')).toMatchObject({ kind: 'preference' })
  expect((await first('What does Ada prefer?'))?.statement).toMatch(/green tea/)
  expect(await first('What should I do with the boathouse?')).toMatchObject({ kind: 'rule' })
})

test('answers with the turns of a conversation as an episode', async () => {
  const { device } = await talks()
  const { episodes } = (await device.search('Who works at Nordwind?')).response
  expect(episodes).toMatchObject([{ participants: ['Ada'], source_ids: [expect.any(String), expect.any(String)] }])
})
