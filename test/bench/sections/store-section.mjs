import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { batchLines, makeSnapshot } from '../make-snapshot.mjs'
import { table } from '../results-file.mjs'
import { benchFolder, inTurn, runMemctl, runNode } from '../run-process.mjs'
import { syntheticMemories } from '../synthetic-memories.mjs'

const MANY = 100_000
const FEW = 100
const ROUNDS = 15
const BATCH_ROUNDS = 5

/** Storing as whole processes: one memory into a small and a large file, and a batch, all of it durable. */
export const storeSection = {
  title: 'Storing',
  async run() {
    const bench = benchFolder()
    const memories = syntheticMemories(MANY)
    const few = makeSnapshot(bench, 'few', memories.slice(0, FEW))
    const many = makeSnapshot(bench, 'many', memories)
    const store = (path) => (round) =>
      runMemctl(['device', 'store', `said in round ${round}`, '--snapshot', path], bench.env)
    const one = inTurn(ROUNDS, { few: store(few), many: store(many), bare: () => runNode(['-e', '0']) })
    const batch = batchRuns(bench, memories)
    bench.remove()
    return table([
      ['what', 'ms', 'peak MB', 'ratio'],
      ['bare node', one.bare.ms.toFixed(0), one.bare.mb.toFixed(0), ''],
      [`one memory into ${FEW}`, one.few.ms.toFixed(0), one.few.mb.toFixed(0), '1.00x'],
      [
        `one memory into ${MANY}`,
        one.many.ms.toFixed(0),
        one.many.mb.toFixed(0),
        `${(one.many.ms / one.few.ms).toFixed(2)}x`
      ],
      [
        `a batch of ${MANY} into an empty file`,
        batch.ms.toFixed(0),
        batch.mb.toFixed(0),
        `${Math.round((MANY / batch.ms) * 1000)} memories/s`
      ]
    ])
  }
}

function batchRuns(bench, memories) {
  const file = join(bench.folder, 'batch.jsonl')
  writeFileSync(file, batchLines(memories).join(''))
  const run = (round) => {
    const path = join(bench.folder, `batch-${round}.mem.jsonl`)
    runMemctl(['device', 'init', path], bench.env)
    return runMemctl(['device', 'store', '--batch', file, '--snapshot', path], bench.env)
  }
  return inTurn(BATCH_ROUNDS, { batch: run }).batch
}
