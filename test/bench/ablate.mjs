/**
 * Part of `npm run eval`: the contribution of each ranking signal. Every ablation of `ablations.mjs` ranks the shared
 * evaluation sets on the same indexes, which contain no ranking parameters. `--only WORD` runs only ablations with it in
 * their name, and writes nothing.
 */
import { parseArgs } from 'node:util'
import { signalTable } from './ablation-report.mjs'
import { ablationsOf } from './ablations.mjs'
import { memctl } from './engines/memctl.mjs'
import { buildGroups, hasSets, rankGroups, readSets, setsFolder } from './eval-sets.mjs'
import { bundleSearch } from './load-search.mjs'
import { keepResults } from './results-file.mjs'
import { scoreAbstracts, scoreTalk, scoreTop } from './score-rankings.mjs'

/** Ids per ranking: for abstracts, enough for the average precision of the whole ranking. */
const LENGTHS = { locomo: 20, realtalk: 20, beam: 20, madial: 20, cacm: 1000, cranfield: 1000 }
const TITLE = 'Effect of each ranking signal (x100)'
const LEGEND = 'Each row disables one signal; the change is in brackets. Measures as in "Ranking quality".'

const { values } = parseArgs({ options: { only: { type: 'string' } } })
if (hasSets) await ablate(values.only)
else console.log(`ablations skipped: the evaluation sets are not there (looked for ${setsFolder})`)

async function ablate(only) {
  const sets = await readSets()
  const bundle = await bundleSearch()
  try {
    const search = await bundle.load()
    const bytes = await builtIndexes(search, sets)
    const measure = async (override) => scoreSets(await rankSets(await bundle.load(override), sets, bytes))
    const full = await measure()
    const rows = []
    for (const { name, override } of ablationsOf(search.RANKING).filter(({ name }) => name.includes(only ?? ''))) {
      rows.push({ name, figures: await measure(override) })
    }
    const lines = [...signalTable(full, rows), '', LEGEND]
    console.log(lines.join('\n'))
    if (only === undefined) keepResults(TITLE, 'npm run eval', lines)
  } finally {
    bundle.remove()
  }
}

/** Builds the indexes of all groups as bytes once; each measurement opens them again. */
async function builtIndexes(search, sets) {
  const engine = memctl(search)
  const bytes = {}
  for (const [set, groups] of Object.entries(sets)) {
    bytes[set] = (await buildGroups(engine, groups)).map((index) => {
      const made = engine.bytes(index)
      index.close()
      return made
    })
  }
  return bytes
}

async function rankSets(search, sets, bytes) {
  const engine = memctl(search)
  const rankings = {}
  for (const [set, groups] of Object.entries(sets)) {
    const indexes = await Promise.all(bytes[set].map((index) => engine.open(index)))
    rankings[set] = await rankGroups(engine, { groups, indexes, length: LENGTHS[set] })
    for (const index of indexes) index.close()
  }
  return rankings
}

function scoreSets({ locomo, realtalk, beam, madial, cacm, cranfield }) {
  return {
    locomo: scoreTalk(locomo),
    realtalk: scoreTop('realtalk', realtalk),
    beam: scoreTop('beam', beam),
    madial: scoreTop('madial', madial),
    cacm: scoreAbstracts('cacm', cacm),
    cranfield: scoreAbstracts('cranfield', cranfield)
  }
}
