import { expect, test } from 'vitest'
import { createEngine } from '../../../server/recall/create-engine.ts'
import type { Storage } from '../../../server/storage/port/storage.ts'
import { Fault } from '../../../src/contract/faults.ts'
import type { StartThread, Thread } from '../../../src/ports.ts'
import { file, forgetLine, memoryLine } from '../../snapshot/builders.ts'
import {
  collection,
  liveLines,
  offlineAnswer,
  parsed,
  question,
  recallBench,
  restore,
  startLocalThread
} from './recall-kit.ts'

const A = '00000000-0000-7000-8000-00000000000a'
const B = '00000000-0000-7000-8000-00000000000b'

const texts = (count: number) => Array.from({ length: count }, (_, i) => ({ text: `Lisbon, letter ${i}` }))
const lines = (count: number) => texts(count).map((text) => memoryLine(text))

/** Replaces some methods of a storage. */
function engineOver(
  storage: Storage,
  more: Partial<Storage>,
  options: { threads?: number; indexBytesMax?: number } = {}
) {
  return createEngine({ startThread: startLocalThread, storage: { ...storage, ...more }, threads: 1, ...options })
}

async function expectAnswerOf(engine: ReturnType<typeof engineOver>, storage: Storage): Promise<void> {
  const answer = parsed(await engine.searchCollections([A], question('letter 7')))
  expect(answer).toEqual(await offlineAnswer(file(...(await liveLines(storage, [A]))), 'letter 7'))
}

test('gives the same answers for any page size', async () => {
  const bench = await recallBench()
  await restore(bench, await collection(bench.storage, A), file(...lines(20)))
  const page: Storage['readPage'] = (id, range) => bench.storage.readPage(id, { ...range, maxBytes: 1 })
  await expectAnswerOf(engineOver(bench.storage, { readPage: page }), bench.storage)
})

test('finds a line that was replaced while pages were read', async () => {
  const bench = await recallBench()
  await restore(bench, await collection(bench.storage, A), file(...lines(6)))
  let pages = 0
  const page: Storage['readPage'] = async (id, range) => {
    const found = await bench.storage.readPage(id, { ...range, maxBytes: 1 })
    if (pages++ === 2) await restore(bench, A, file(memoryLine({ text: 'Lisbon, letter 5', extractor: 9 })))
    return found
  }
  const engine = engineOver(bench.storage, { readPage: page })
  const { sources } = parsed(await engine.searchCollections([A], question('Lisbon')))
  expect(sources.flatMap(({ source_ids }) => source_ids)).toHaveLength(6)
})

test('loads an index once for simultaneous searches', async () => {
  const bench = await recallBench()
  await restore(bench, await collection(bench.storage, A), file(...lines(10)))
  let pages = 0
  const page: Storage['readPage'] = (id, range) => {
    pages++
    return bench.storage.readPage(id, range)
  }
  const engine = engineOver(bench.storage, { readPage: page })
  await Promise.all(Array.from({ length: 10 }, () => engine.searchCollections([A], question('Lisbon'))))
  expect(pages).toBe(1)
})

test('reads nothing if nothing has changed, and only new lines otherwise', async () => {
  const bench = await recallBench()
  await restore(bench, await collection(bench.storage, A), file(...lines(3)))
  const afters: number[] = []
  const page: Storage['readPage'] = (id, range) => {
    afters.push(range.after)
    return bench.storage.readPage(id, range)
  }
  const engine = engineOver(bench.storage, { readPage: page })
  await engine.searchCollections([A], question('Lisbon'))
  await engine.searchCollections([A], question('Lisbon'))
  await restore(bench, A, file(memoryLine({ text: 'new' })))
  await engine.searchCollections([A], question('Lisbon'))
  expect(afters).toEqual([0, 3])
})

test('does not answer with the lines of a previous collection with the same id', async () => {
  const [first, second] = [await recallBench(), await recallBench()]
  await restore(first, await collection(first.storage, A), file(...lines(2)))
  await restore(
    second,
    await collection(second.storage, A, `snp_${'1'.repeat(32)}`),
    file(memoryLine({ text: 'other' }))
  )
  let current = first.storage
  const engine = engineOver(first.storage, {
    listCollections: (ids) => current.listCollections(ids),
    readPage: (id, range) => current.readPage(id, range)
  })
  await engine.searchCollections([A], question('Lisbon'))
  current = second.storage
  await expectAnswerOf(engine, second.storage)
})

test('reads a collection again whose newest number has decreased', async () => {
  const [first, second] = [await recallBench(), await recallBench()]
  await restore(first, await collection(first.storage, A), file(...lines(4), forgetLine(texts(1)[0] ?? '')))
  await restore(second, await collection(second.storage, A), file(...lines(1)))
  let current = first.storage
  const engine = engineOver(first.storage, {
    listCollections: (ids) => current.listCollections(ids),
    readPage: (id, range) => current.readPage(id, range)
  })
  await engine.searchCollections([A], question('Lisbon'))
  current = second.storage
  await expectAnswerOf(engine, second.storage)
})

test('evicts indexes over the memory limit, and builds them again when searched', async () => {
  const bench = await recallBench()
  await restore(bench, await collection(bench.storage, A), file(...lines(8)))
  await restore(bench, await collection(bench.storage, B), file(...lines(8)))
  const engine = engineOver(bench.storage, {}, { indexBytesMax: 1 })
  for (const id of [A, B, A]) await engine.searchCollections([id], question('Lisbon'))
  expect(engine.state().indexes).toBe(1)
  await expectAnswerOf(engine, bench.storage)
})

test('frees the indexes of a deleted collection', async () => {
  const bench = await recallBench()
  await restore(bench, await collection(bench.storage, A), file(...lines(2)))
  await collection(bench.storage, B)
  await bench.engine.searchCollections([A], question('Lisbon'))
  await bench.engine.searchCollections([A, B], question('Lisbon'))
  expect(bench.engine.state().indexes).toBe(2)
  await bench.engine.dropCollection(A)
  expect(bench.engine.state()).toMatchObject({ indexes: 0, indexBytes: 0 })
})

test('deletes a collection even if a thread with its index fails', async () => {
  const bench = await recallBench()
  await restore(bench, await collection(bench.storage, A), file(...lines(2)))
  const startThread: StartThread = (program, data) => {
    const thread = startLocalThread(program, data)
    const call: Thread['call'] = async (name, ...more) => {
      if (name === 'dropCollection') throw new Fault('unavailable', 'a thread of the server broke down')
      return thread.call(name, ...more)
    }
    return { ...thread, call }
  }
  const engine = createEngine({ startThread, storage: bench.storage, threads: 1 })
  await engine.searchCollections([A], question('Lisbon'))
  await bench.storage.deleteCollection(A)
  await engine.dropCollection(A)
  await expect(engine.searchCollections([A], question('Lisbon'))).rejects.toMatchObject({ code: 'not_found' })
})

test('fails a search if the storage fails during loading, and finds everything in the next one', async () => {
  const bench = await recallBench()
  await restore(bench, await collection(bench.storage, A), file(...lines(9)))
  let pages = 0
  const page: Storage['readPage'] = async (id, range) => {
    if (pages++ === 3) throw new Fault('unavailable', 'the storage is away')
    return bench.storage.readPage(id, { ...range, maxBytes: 1 })
  }
  const engine = engineOver(bench.storage, { readPage: page })
  await expect(engine.searchCollections([A], question('Lisbon'))).rejects.toMatchObject({ code: 'unavailable' })
  await expectAnswerOf(engine, bench.storage)
})
