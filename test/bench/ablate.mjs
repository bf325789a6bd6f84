/**
 * Part of `npm run eval`: the contribution of each ranking signal. Every ablation of `ablations.mjs` ranks the shared
 * evaluation sets on the same indexes, which contain no ranking parameters. It also compares the conversations that the
 * parameters were tuned on with the others. `node test/bench/ablate.mjs --tuned-on conv-26,conv-43` names other ones.
 * `--only WORD` runs only ablations with it in their name, and writes nothing.
 */
import { parseArgs } from 'node:util'
import { cueTable, honestTable } from './ablation-report.mjs'
import { ablationsOf, FITTED } from './ablations.mjs'
import { memctl } from './engines/memctl.mjs'
import { miniSearch } from './engines/mini-search.mjs'
import { buildGroups, hasSets, rankGroups, readSets, setsFolder } from './eval-sets.mjs'
import { bundleSearch } from './load-search.mjs'
import { keepResults } from './results-file.mjs'
import { scoreAbstracts, scoreTalk } from './score-rankings.mjs'

/** The conversations that the ranking parameters were tuned on; the others only check them. */
const TUNED_ON = 'conv-26,conv-43'
/** Ids per ranking. */
const RANKING_LENGTH = 1000
const TITLE = 'Effect of each ranking signal (x100)'
const LEGEND = 'Each row disables one signal; the change is in brackets. Measures as in "Ranking quality".'

const { values } = parseArgs({
  options: { 'tuned-on': { type: 'string', default: TUNED_ON }, only: { type: 'string' } }
})
if (hasSets) await ablate(values['tuned-on'].split(','), values.only)
else console.log(`ablations skipped: the evaluation sets are not there (looked for ${setsFolder})`)

async function ablate(tunedOn, only) {
  const sets = await readSets(['locomo', 'cacm', 'cranfield'])
  const conversations = sets.locomo.map(({ name }) => name)
  const parts = { tuned: tunedOn, others: conversations.filter((name) => !tunedOn.includes(name)) }
  const bundle = await bundleSearch()
  try {
    const search = await bundle.load()
    const bytes = await builtIndexes(search, sets)
    const measure = async (override) => figures(await rankSets(await bundle.load(override), sets, bytes), parts)
    const full = await measure()
    const rows = []
    for (const { name, override } of ablationsOf(search.RANKING).filter(({ name }) => name.includes(only ?? ''))) {
      rows.push({ name, figures: await measure(override) })
    }
    const library = talkOf(await rankTalk(miniSearch(search.analyse), sets.locomo), parts)
    const fitted = await measure(FITTED)
    const lines = [...cueTable(full, rows), '', LEGEND, '', ...honestTable({ full, fitted, library }, parts)]
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
    rankings[set] = await rankGroups(engine, { groups, indexes, length: RANKING_LENGTH })
    for (const index of indexes) index.close()
  }
  return rankings
}

async function rankTalk(engine, groups) {
  return rankGroups(engine, { groups, indexes: await buildGroups(engine, groups), length: RANKING_LENGTH })
}

function figures({ locomo, cacm, cranfield }, parts) {
  return {
    talk: scoreTalk(locomo),
    ...talkOf(locomo, parts),
    cacm: scoreAbstracts('cacm', cacm),
    cranfield: scoreAbstracts('cranfield', cranfield)
  }
}

function talkOf(locomo, { tuned, others }) {
  return { tuned: scoreTalk(locomo, tuned), others: scoreTalk(locomo, others) }
}
