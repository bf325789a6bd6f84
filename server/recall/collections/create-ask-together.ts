import type { IndexQuestion } from '../engine/answer-bytes.ts'
import type { CollectionHead, IndexUsage } from '../engine/engine-calls.ts'
import type { EnginePool } from '../pool/engine-pool.ts'
import type { EngineSlot } from '../pool/engine-slot.ts'

import { unlessCalledOff } from '../pool/unless-called-off.ts'

/** Questions in one call to a thread: about 15 ms of work. The next batch is queued meanwhile. */
const QUESTIONS_MAX = 8

export type PendingQuestion = {
  heads: readonly CollectionHead[]
  question: IndexQuestion
  signal: AbortSignal | undefined
}

/** The answer, or, if lines are missing, the sequence numbers up to which the index has each collection. */
export type IndexAnswer = IndexUsage & ({ answer: Uint8Array } | { marks: number[] })

type Gathering = { heads: readonly CollectionHead[]; questions: IndexQuestion[]; found: Promise<IndexAnswer[]> }

/**
 * Creates a function that asks the index of a thread. Questions to one index that wait for its thread are sent
 * together.
 */
export function createAskTogether(
  pool: EnginePool
): (slot: EngineSlot, asked: PendingQuestion) => Promise<IndexAnswer> {
  const gatherings = new Map<EngineSlot, Gathering[]>()

  const run = async (slot: EngineSlot, gathered: Pick<Gathering, 'heads' | 'questions'>): Promise<IndexAnswer[]> => {
    const found = await pool.run({ name: 'searchIndex', slot, send: () => send(slot, gathered) })
    if ('marks' in found) return gathered.questions.map(() => found)
    const { answers, ...held } = found
    return answers.map((answer) => ({ answer, ...held }))
  }

  const send = (slot: EngineSlot, gathered: Pick<Gathering, 'heads' | 'questions'>) => {
    const left = gatherings.get(slot)?.filter((one) => one !== gathered) ?? []
    if (left.length > 0) gatherings.set(slot, left)
    else gatherings.delete(slot)
    return { argument: { heads: gathered.heads, questions: gathered.questions } }
  }

  const begin = (slot: EngineSlot, { heads, question }: PendingQuestion): Gathering => {
    const gathered: Gathering = { heads, questions: [question], found: Promise.resolve([]) }
    gathered.found = run(slot, gathered)
    gatherings.set(slot, [...(gatherings.get(slot) ?? []), gathered])
    return gathered
  }

  return async (slot, asked) => {
    const waiting = gatherings.get(slot)?.find((one) => takesAlso(one, asked.heads))
    const gathered = waiting ?? begin(slot, asked)
    if (waiting !== undefined) {
      waiting.heads = newerHeads(waiting.heads, asked.heads)
      waiting.questions.push(asked.question)
    }
    const place = gathered.questions.length - 1
    const found = (await unlessCalledOff(gathered.found, asked.signal))[place]
    if (found === undefined) throw new Error('an engine thread returned fewer answers than questions')
    return found
  }
}

/** Reports whether a question about these collections may join the batch. */
function takesAlso({ heads, questions }: Gathering, others: readonly CollectionHead[]): boolean {
  const areSame = heads.every(({ id, snapshotId }, i) => others[i]?.id === id && others[i]?.snapshotId === snapshotId)
  return questions.length < QUESTIONS_MAX && heads.length === others.length && areSame
}

/** Merges two lists of heads. A later question may need newer lines, so all questions of the batch get them. */
function newerHeads(heads: readonly CollectionHead[], others: readonly CollectionHead[]): CollectionHead[] {
  return heads.map((head, i) => ({ ...head, seq: Math.max(head.seq, others[i]?.seq ?? 0) }))
}
