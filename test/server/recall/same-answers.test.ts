import { expect, test } from 'vitest'
import { file, forgetLine, memoryLine } from '../../snapshot/builders.ts'
import { collection, offlineAnswer, parsed, question, recallBench, restore, sent } from './recall-kit.ts'

const A = '00000000-0000-7000-8000-00000000000a'
const B = '00000000-0000-7000-8000-00000000000b'

const ADA = { text: 'Ada moved to Lisbon in spring.', speaker: 'Ada', conversation: 'talk', position: 1 }
const BEN = { text: 'Where does Ada live now? In Lisbon.', speaker: 'Ben', conversation: 'talk', position: 2 }
const TEA = { text: 'Green tea is what Ben drinks in the morning.' }
const SHIP = { text: 'The ship to Lisbon leaves at nine.' }

test('answers from a collection like the device from a file with the same lines', async () => {
  const all = file(...[ADA, BEN, TEA, SHIP].map(memoryLine))
  const bench = await recallBench()
  await restore(bench, await collection(bench.storage, A), all)
  for (const query of ['where does Ada live', 'Lisbon', 'tea in the morning', 'nothing of that']) {
    const answer = parsed(await bench.engine.searchCollections([A], question(query, { explain: true })))
    expect(answer).toEqual(await offlineAnswer(all, query, { explain: true }))
  }
})

test('answers from a sent snapshot like the device', async () => {
  const all = file(...[ADA, BEN, TEA, SHIP].map(memoryLine), forgetLine(SHIP))
  const { engine } = await recallBench()
  const answer = parsed(await engine.searchSnapshot(sent(all), question('Lisbon')))
  expect(answer).toEqual(await offlineAnswer(all, 'Lisbon'))
  expect(answer.sources).toHaveLength(2)
})

test('sees what was stored, replaced or forgotten between searches', async () => {
  const bench = await recallBench()
  const lines: string[] = []
  await collection(bench.storage, A)
  const steps = [
    memoryLine(ADA),
    memoryLine(SHIP),
    memoryLine({ ...SHIP, extractor: 2, metadata: { title: 'Sea' } }),
    memoryLine(BEN),
    forgetLine(ADA),
    memoryLine(ADA),
    memoryLine(TEA)
  ]
  for (const line of steps) {
    lines.push(line)
    await restore(bench, A, file(line))
    const answer = parsed(await bench.engine.searchCollections([A], question('Lisbon')))
    expect(answer).toEqual(await offlineAnswer(file(...lines), 'Lisbon'))
  }
})

test('answers from several collections like from one file of their live memories', async () => {
  const bench = await recallBench()
  await restore(bench, await collection(bench.storage, A), file(memoryLine(ADA), memoryLine(SHIP)))
  await restore(bench, await collection(bench.storage, B), file(memoryLine(SHIP), memoryLine(BEN)))
  const ask = async () => parsed(await bench.engine.searchCollections([B, A], question('Lisbon')))
  const all = file(...[ADA, SHIP, BEN].map(memoryLine))
  expect(await ask()).toEqual(await offlineAnswer(all, 'Lisbon'))

  await restore(bench, A, file(forgetLine(SHIP)))
  expect(await ask()).toEqual(await offlineAnswer(all, 'Lisbon'))

  await restore(bench, B, file(forgetLine(SHIP)))
  expect(await ask()).toEqual(await offlineAnswer(file(memoryLine(ADA), memoryLine(BEN)), 'Lisbon'))
})

test('shows the better of two lines of a memory as long as it exists', async () => {
  const bench = await recallBench()
  const better = { ...SHIP, extractor: 3, metadata: { title: 'Sea' } }
  await restore(bench, await collection(bench.storage, A), file(memoryLine(SHIP)))
  await restore(bench, await collection(bench.storage, B), file(memoryLine(better)))
  const titles = async () =>
    parsed(await bench.engine.searchCollections([A, B], question('ship'))).sources.map(({ title }) => title)
  expect(await titles()).toEqual(['Sea'])
  await restore(bench, B, file(forgetLine(SHIP)))
  expect(await titles()).toEqual([null])
})

test('reports a deleted collection as not found', async () => {
  const { engine, storage } = await recallBench()
  await collection(storage, A)
  expect(parsed(await engine.searchCollections([A], question('a'))).sources).toEqual([])
  await storage.deleteCollection(A)
  await expect(engine.searchCollections([A], question('a'))).rejects.toMatchObject({ code: 'not_found' })
  expect(engine.state().indexes).toBe(0)
})
