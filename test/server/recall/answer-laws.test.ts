import fc from 'fast-check'
import { expect, test } from 'vitest'
import { file, forgetLine, memoryLine } from '../../snapshot/builders.ts'
import { collection, liveLines, offlineAnswer, parsed, question, recallBench, restore } from './recall-kit.ts'

const A = '00000000-0000-7000-8000-00000000000a'
const B = '00000000-0000-7000-8000-00000000000b'
const SETS = [[A], [B], [A, B]]

const MEMORIES = [
  { text: 'Ada moved to Lisbon in spring.', speaker: 'Ada', conversation: 'talk', position: 1 },
  { text: 'And does she like Lisbon?', speaker: 'Ben', conversation: 'talk', position: 2 },
  { text: 'She likes the sea there.', speaker: 'Ada', conversation: 'talk', position: 3 },
  { text: 'The ship to Lisbon leaves at nine.' },
  { text: 'Lisbon '.repeat(500) }
] as const

const memory = fc.nat(MEMORIES.length - 1)
const step = fc.oneof(
  fc.record({ to: fc.constantFrom(A, B), memory, extractor: fc.nat(3), title: fc.constantFrom('Sea', 'Lisbon') }),
  fc.record({ to: fc.constantFrom(A, B), forget: memory }),
  fc.record({ ask: fc.constantFrom(...SETS) })
)

function lineOf(step: { memory: number; extractor: number; title: string } | { forget: number }): string {
  if ('forget' in step) return forgetLine(MEMORIES[step.forget] ?? '')
  const { memory, extractor, title } = step
  return memoryLine({ ...MEMORIES[memory], extractor, metadata: { title } } as Parameters<typeof memoryLine>[0])
}

const RUNS = process.env.SLOW ? 200 : 5

test('answers like a file of the live memories after any stores, replacements and deletions in any steps', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const bench = await recallBench()
      for (const id of [A, B]) await collection(bench.storage, id)
      const ask = async (ids: string[]): Promise<void> => {
        const lines = await liveLines(bench.storage, ids)
        const answer = parsed(await bench.engine.searchCollections(ids, question('who likes Lisbon')))
        expect(answer).toEqual(await offlineAnswer(file(...lines), 'who likes Lisbon'))
      }
      for (const one of steps) {
        if ('ask' in one) await ask(one.ask)
        else await restore(bench, one.to, file(lineOf(one)))
      }
      for (const ids of SETS) await ask(ids)
    }),
    { numRuns: RUNS }
  )
})
