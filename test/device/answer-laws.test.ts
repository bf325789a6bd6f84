import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MemoryResponse } from '../../src/contract/memory-response.ts'
import type { Device, SearchOptions } from '../../src/device/device.ts'
import { bench } from './device-kit.ts'
import { saidLine, saidRecord, someSaid } from './fact-lines.ts'

const RUNS = process.env.SLOW ? 300 : 5

const QUERIES = ['Where does Ada live?', 'Where did Ada live before?', 'What should Bo remember of Acme in 2024?']

async function answers(device: Device, options: SearchOptions = {}): Promise<MemoryResponse[]> {
  const found: MemoryResponse[] = []
  for (const query of QUERIES) {
    found.push((await device.search(query, { limit: 50, explain: true, ...options })).response)
  }
  return found
}

test('gives the same answer for any order of lines, compacted or not', async () => {
  await fc.assert(
    fc.asyncProperty(someSaid, fc.infiniteStream(fc.nat()), async (said, keys) => {
      const { device, lines, write, another } = await bench()
      const [header = ''] = lines()
      const own = said.map(saidLine)
      write([header, ...own, ''].join('\n'))
      const first = await answers(device)
      const shuffled = own
        .map((line) => ({ line, key: Number(keys.next().value) }))
        .sort((left, right) => left.key - right.key)
        .map(({ line }) => line)
      write([header, ...shuffled, ...own.slice(0, 3), ''].join('\n'))
      expect(await answers(another())).toEqual(first)
      await device.compact()
      expect(await answers(device)).toEqual(first)
    }),
    { numRuns: RUNS }
  )
})

test('excludes forgotten memories from all groups at all times, and from supersession', async () => {
  await fc.assert(
    fc.asyncProperty(someSaid, fc.nat(), async (said, place) => {
      const { device, lines, write } = await bench()
      const [header = ''] = lines()
      write([header, ...said.map(saidLine), ''].join('\n'))
      await answers(device)
      const gone = said[place % said.length]
      const id = gone === undefined ? '' : saidRecord(gone).id
      await device.forget([id])
      const rest = await bench()
      rest.write([header, ...said.filter((one) => one !== gone).map(saidLine), ''].join('\n'))
      for (const as_of of [undefined, '2024-01-05', '2030-01-01']) {
        const found = await answers(device, { as_of })
        expect(JSON.stringify(found)).not.toContain(id)
        expect(found).toEqual(await answers(rest.device, { as_of }))
      }
    }),
    { numRuns: RUNS }
  )
})

test('finds as many sources or more at a later time of knowledge, and at the last one all of them', async () => {
  await fc.assert(
    fc.asyncProperty(someSaid, async (said) => {
      const { device, lines, write } = await bench()
      const [header = ''] = lines()
      write([header, ...said.map(saidLine), ''].join('\n'))
      let known: string[][] = QUERIES.map(() => [])
      for (let day = 1; day <= 9; day++) {
        const known_at = `2024-01-0${day}`
        const found = await answers(device, { known_at, as_of: known_at })
        const ids = found.map(({ sources }) => sources.map(({ id }) => id))
        for (const [query, before] of known.entries()) expect(ids[query]).toEqual(expect.arrayContaining(before))
        for (const { semantics, sources } of found) {
          for (const { timestamp } of sources) expect((timestamp ?? '') < `${known_at}T00:00:00.001Z`).toBe(true)
          for (const { valid_to } of semantics) expect(valid_to).toBeNull()
        }
        known = ids
      }
      const all = (await answers(device)).map(({ sources }) => sources.map(({ id }) => id))
      expect(known).toEqual(all)
    }),
    { numRuns: RUNS }
  )
})
