import fc from 'fast-check'
import { expect } from 'vitest'
import { OUTCOMES } from '../../server/storage/port/record-batch.ts'
import type { Storage } from '../../server/storage/port/storage.ts'
import { allTexts, batchOf, checkOf, idsOf, sortedIds, type TestLine } from '../server/storage/record-lines.ts'
import { idAt, newCollection, type StorageTests } from './storage-place.ts'

const RUNS = process.env.SLOW ? 500 : 10

/** Few ids, times and extractors, so that lines often collide. */
const LINE: fc.Arbitrary<TestLine> = fc.record({
  kind: fc.constantFrom('memory', 'memory', 'memory', 'forget', 'unknown'),
  about: fc.constantFrom('a', 'b', 'c', 'd'),
  text: fc.integer({ min: 0, max: 40 }).map((n) => `line ${n}`),
  time: fc.integer({ min: -1, max: 1 }),
  extractor: fc.integer({ min: 0, max: 1 })
})

const BATCHES = fc.array(fc.array(LINE, { maxLength: 8 }), { maxLength: 6 })

/** Laws that hold for any lines in any order. */
export const LAW_TESTS: StorageTests = {
  'matches a plain model of a collection': async (open) => {
    const storage = await open()
    let n = 0
    await fc.assert(
      fc.asyncProperty(BATCHES, async (batches) => {
        const id = await fresh(storage, ++n)
        const model = new Model()
        for (const lines of batches) {
          const { outcomes } = await storage.append(id, batchOf(lines))
          expect([...outcomes]).toEqual(lines.map((line) => model.take(line)))
        }
        expect(await texts(storage, id)).toEqual(model.texts())
        expect(idsOf(await storage.listKnownIds(id))).toEqual(model.knownIds())
        expect(await storage.findCollection(id)).toMatchObject({ memories: model.memories() })
      }),
      { numRuns: RUNS }
    )
  },

  'gives the same result for any order of lines and any batches': async (open) => {
    const storage = await open()
    let n = 0
    await fc.assert(
      fc.asyncProperty(fc.array(LINE, { maxLength: 12 }), fc.array(fc.nat(11)), async (lines, shuffle) => {
        const [whole, cut] = [await fresh(storage, ++n), await fresh(storage, ++n)]
        await storage.append(whole, batchOf(lines))
        const mixed = [...lines]
        for (const at of shuffle) mixed.push(...mixed.splice(at % Math.max(1, mixed.length), 1))
        for (const line of mixed) await storage.append(cut, batchOf([line]))
        expect(await texts(storage, cut)).toEqual(await texts(storage, whole))
        expect(await storage.listKnownIds(cut)).toEqual(await storage.listKnownIds(whole))
      }),
      { numRuns: RUNS }
    )
  }
}

async function fresh(storage: Storage, n: number): Promise<string> {
  await storage.createCollection(newCollection(n))
  return idAt(n)
}

async function texts(storage: Storage, id: string): Promise<string[]> {
  return (await allTexts(storage, id)).map(([, text]) => text).sort()
}

/** A model of a collection, as the port documents it. */
class Model {
  readonly #byId = new Map<string, TestLine>()
  readonly #unknown = new Set<string>()

  take(line: TestLine): number {
    if (line.kind === 'unknown') {
      const isNew = !this.#unknown.has(line.text)
      this.#unknown.add(line.text)
      return isNew ? OUTCOMES.stored : OUTCOMES.known
    }
    const held = this.#byId.get(line.about)
    if (held?.kind === 'forget' && line.kind === 'memory') return OUTCOMES.forgotten
    const wins = held === undefined || held.kind !== line.kind || Buffer.compare(rank(line), rank(held)) < 0
    if (wins) this.#byId.set(line.about, line)
    return wins ? OUTCOMES.stored : OUTCOMES.known
  }

  texts(): string[] {
    return [...[...this.#byId.values()].map(({ text }) => text), ...this.#unknown].sort()
  }

  knownIds(): string[] {
    return sortedIds([...this.#byId.keys()])
  }

  memories(): number {
    return [...this.#byId.values()].filter(({ kind }) => kind === 'memory').length
  }
}

/** Returns bytes for comparison, of which the smaller wins. */
function rank(line: TestLine): Buffer {
  return Buffer.from([9 - (line.extractor ?? 0), 9 + (line.time ?? 0), ...checkOf(line)])
}
