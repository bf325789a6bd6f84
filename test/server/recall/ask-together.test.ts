import { expect, test } from 'vitest'
import { createAskTogether, type PendingQuestion } from '../../../server/recall/collections/create-ask-together.ts'
import type { IndexAnswers, IndexQuestions } from '../../../server/recall/engine/engine-calls.ts'
import { createEnginePool } from '../../../server/recall/pool/engine-pool.ts'
import type { Thread } from '../../../src/ports.ts'
import { question } from './recall-kit.ts'

type Call = { argument: IndexQuestions; answer(value?: IndexAnswers): void; fail(error: Error): void }

/** Creates a pool of one thread whose answers the test releases. */
async function askBench() {
  const calls: Call[] = []
  const thread: Thread = {
    call: (name, argument) => (name === 'start' ? Promise.resolve() : held(argument as IndexQuestions)),
    end: async () => undefined
  }
  const held = (argument: IndexQuestions): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const answers = () =>
        argument.questions.map((question) => Buffer.from('query' in question ? question.query : question.browse))
      calls.push({
        argument,
        answer: (value) => resolve(value ?? { indexes: 1, bytes: 1, answers: answers() }),
        fail: reject
      })
    })
  const pool = createEnginePool(() => thread, { threads: 1, waitingMax: 100, waitingBytesMax: 100 })
  await pool.run({ name: 'start', send: () => ({ argument: undefined }) })
  const [slot] = pool.slots()
  if (slot === undefined) throw new Error('no thread has started')
  const askTogether = createAskTogether(pool)
  const ask = async (query: string, more: Partial<PendingQuestion> = {}): Promise<string | number[]> => {
    const found = await askTogether(slot, { heads: heads(1), question: question(query), signal: undefined, ...more })
    return 'answer' in found ? Buffer.from(found.answer).toString() : found.marks
  }
  return { ask, calls }
}

function heads(seq: number, id = 'a') {
  return [{ id, snapshotId: 'snp', seq }]
}

async function settled(): Promise<void> {
  for (let i = 0; i < 50; i++) await Promise.resolve()
}

test('batches questions that wait for the thread at the newest state, and gives each its own answer', async () => {
  const { ask, calls } = await askBench()
  const first = ask('one')
  await settled()
  const others = [ask('two', { heads: heads(3) }), ask('three', { heads: heads(2) })]
  calls[0]?.answer()
  await settled()
  expect(calls[1]?.argument.heads).toEqual(heads(3))
  calls[1]?.answer()
  expect(await Promise.all([first, ...others])).toEqual(['one', 'two', 'three'])
})

test('sends questions to other collections, and those beyond a batch, separately', async () => {
  const { ask, calls } = await askBench()
  void ask('first')
  await settled()
  for (let n = 0; n < 9; n++) void ask(`${n}`)
  void ask('other', { heads: heads(1, 'b') })
  for (let n = 0; n < 3; n++) {
    calls[n]?.answer()
    await settled()
  }
  expect(calls.map(({ argument }) => argument.questions.length)).toEqual([1, 8, 1, 1])
})

test('tells all questions of a batch how far the index is, and rejects all of them on a failure', async () => {
  const { ask, calls } = await askBench()
  const behind = [ask('one')]
  await settled()
  calls[0]?.answer({ indexes: 1, bytes: 1, marks: [7] })
  expect(await Promise.all(behind)).toEqual([[7]])
  const failed = ask('two')
  await settled()
  calls[1]?.fail(new Error('broken'))
  await expect(failed).rejects.toThrow('broken')
})

test('rejects an aborted question immediately, and still answers the others', async () => {
  const { ask, calls } = await askBench()
  const first = ask('one')
  await settled()
  const gone = new AbortController()
  const [left, stays] = [ask('two', { signal: gone.signal }), ask('three')]
  gone.abort()
  await expect(left).rejects.toMatchObject({ code: 'cancelled' })
  calls[0]?.answer()
  await settled()
  calls[1]?.answer()
  expect(await Promise.all([first, stays])).toEqual(['one', 'three'])
})
