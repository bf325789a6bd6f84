import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { batchLines, makeSnapshot, storePlain } from '../make-snapshot.mjs'
import { table } from '../results-file.mjs'
import { benchFolder, inTurn, runMemctl, runNode } from '../run-process.mjs'
import { sized } from '../sized.mjs'
import { syntheticMemories } from '../synthetic-memories.mjs'

const MANY = sized(100_000, 200)
const FEW = sized(100, 20)
const ROUNDS = sized(15, 1)
const BATCH_ROUNDS = sized(5, 1)
const SENTENCES = sized(20_000, 40)

/** Measures storing as complete processes: one memory into a small and a large file, and a batch, all durable. */
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
    const plain = batchRuns(bench, memories, (path, file) => storePlain(bench, path, file))
    const read = batchRuns(bench, sentences(SENTENCES), (path, file) => {
      runMemctl(['device', 'init', path], bench.env)
      return runMemctl(['device', 'store', '--batch', file, '--snapshot', path], bench.env)
    })
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
      batchRow(`a batch of ${MANY} texts with nothing to extract`, plain, MANY),
      batchRow(`a batch of ${SENTENCES} sentences, with extraction`, read, SENTENCES)
    ])
  }
}

function batchRow(name, { ms, mb }, count) {
  return [name, ms.toFixed(0), mb.toFixed(0), `${Math.round((count / ms) * 1000)} memories/s`]
}

/** Each round stores into a new file. */
function batchRuns(bench, memories, store) {
  const file = join(bench.folder, 'batch.jsonl')
  writeFileSync(file, batchLines(memories).join(''))
  return inTurn(BATCH_ROUNDS, {
    batch: (round) => store(join(bench.folder, `batch-${memories.length}-${round}.mem.jsonl`), file)
  }).batch
}

/** Repeats the golden sentences, each memory with a unique number. */
function sentences(count) {
  const text = readFileSync(new URL('../../memory/golden/sentences.txt', import.meta.url), 'utf8')
  const golden = text.split('\n').filter((line) => line !== '' && !line.startsWith('== '))
  return Array.from({ length: count }, (_, n) => {
    const line = golden[n % golden.length].replace(/^Ada: /, '').replaceAll('\\n', '\n')
    return {
      text: `${line} (${n})`,
      speaker: 'Ada',
      conversation: `c${Math.floor(n / 20)}`,
      at: 1_600_000_000_000 + n * 60_000
    }
  })
}
