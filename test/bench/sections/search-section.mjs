import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { makeSnapshot } from '../make-snapshot.mjs'
import { table } from '../results-file.mjs'
import { benchFolder, inTurn, runMemctl, runNode } from '../run-process.mjs'
import { sized } from '../sized.mjs'
import { syntheticMemories, syntheticQueries } from '../synthetic-memories.mjs'

const MEMORIES = sized(100_000, 200)
const ROUNDS = sized(15, 1)

/**
 * Measures `device search` as a complete process: the first one, which builds the index, and those that find it in the
 * cache.
 */
export const searchSection = {
  title: `Searching ${MEMORIES.toLocaleString('en')} memories as a process`,
  async run() {
    const bench = benchFolder()
    const path = makeSnapshot(bench, 'many', syntheticMemories(MEMORIES))
    const queries = syntheticQueries(ROUNDS + 1)
    const search = (round) => runMemctl(['device', 'search', queries[round], '--snapshot', path], bench.env)
    const first = search(0)
    const { warm, bare } = inTurn(ROUNDS, { warm: search, bare: () => runNode(['-e', '0']) })
    const index = indexBytes(join(bench.env.MEMCTL_CACHE_DIR, 'index'))
    bench.remove()
    return table([
      ['what', 'ms', 'over bare node, ms', 'peak MB'],
      ['bare node', bare.ms.toFixed(0), '0', bare.mb.toFixed(0)],
      [
        'first search, which builds the index',
        first.ms.toFixed(0),
        (first.ms - bare.ms).toFixed(0),
        first.mb.toFixed(0)
      ],
      ['search with a cached index', warm.ms.toFixed(0), (warm.ms - bare.ms).toFixed(0), warm.mb.toFixed(0)],
      [`index, ${(index / 1e6).toFixed(2)} MB`, '', '', '']
    ])
  }
}

function indexBytes(folder) {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}
