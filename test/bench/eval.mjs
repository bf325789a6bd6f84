/**
 * `npm run eval`: ranking quality on the shared evaluation sets, compared with other libraries on the same words in the
 * same run. The sets' own scripts compute the scores. `node test/bench/eval.mjs --alone` omits the others and writes
 * nothing.
 */
import { device } from './engines/device.mjs'
import { flexSearch } from './engines/flex-search.mjs'
import { fts5 } from './engines/fts5.mjs'
import { memctl } from './engines/memctl.mjs'
import { miniSearch } from './engines/mini-search.mjs'
import { orama } from './engines/orama.mjs'
import { buildGroups, hasSets, rankGroups, readSets, setsFolder } from './eval-sets.mjs'
import { loadSearch } from './load-search.mjs'
import { keepResults, table } from './results-file.mjs'
import { scoreAbstracts, scoreRankings, scoreTalk, scoreTop } from './score-rankings.mjs'

/** Ids per ranking. For abstracts, enough for the average precision of the whole ranking. */
const LENGTHS = { locomo: 200, realtalk: 200, beam: 200, madial: 160, cacm: 1000, cranfield: 1000 }
const HEAD = [
  ...['engine', 'turns R@5', 'R@10', 'nDCG@10', 'sessions hit@1', 'R@5', 'R@10', 'nDCG@10'],
  ...['REALTALK R@10', 'nDCG@10', 'BEAM R@10', 'nDCG@10', 'MADial nDCG@10'],
  ...['CACM MAP', 'Cranfield MAP']
]
const LEGEND = [
  'LoCoMo: turns are scored over categories 1 to 4, sessions (ordered by their first turn) over all',
  'categories. Every engine indexes text, title and speaker. "Defaults" means the settings of the',
  'library; "our analyser" replaces its tokenizer and stemmer with ours. "Device library" stores the',
  'memories in a snapshot and searches it for sources, where near-duplicates are one entry.'
]

if (hasSets) await evaluate(process.argv.includes('--alone'))
else console.log(`eval skipped: the evaluation sets are not there (looked for ${setsFolder})`)

async function evaluate(alone) {
  const sets = await readSets()
  const search = await loadSearch()
  const ours = await rankSets(memctl(search), sets)
  const rows = [row('memctl', ours)]
  for (const [name, engine] of alone ? [] : await peers(search.analyse))
    rows.push(row(name, await rankSets(engine, sets)))
  const lines = [...table([HEAD, ...rows]), '', ...LEGEND, '', '```', ...details(ours), '```']
  console.log(lines.join('\n'))
  if (!alone) keepResults('Ranking quality (x100)', 'npm run eval', lines)
}

async function peers(analyse) {
  return [
    ['memctl, device library', await device()],
    ['MiniSearch, our analyser', miniSearch(analyse)],
    ['MiniSearch, defaults', miniSearch()],
    ['SQLite FTS5, our analyser', fts5(analyse)],
    ['SQLite FTS5, its stemmer', fts5()],
    ['FlexSearch, our analyser', flexSearch(analyse)],
    ['FlexSearch, defaults', flexSearch()],
    ['Orama, our analyser', orama(analyse)],
    ['Orama, English stemmer', orama()]
  ]
}

async function rankSets(engine, sets) {
  const rankings = {}
  for (const [set, groups] of Object.entries(sets)) {
    const indexes = await buildGroups(engine, groups)
    rankings[set] = await rankGroups(engine, { groups, indexes, length: LENGTHS[set] })
  }
  return rankings
}

function row(name, { locomo, realtalk, beam, madial, cacm, cranfield }) {
  const { turns, sessions } = scoreTalk(locomo)
  const figures = [
    ...[turns.r5, turns.r10, turns.ndcg10, sessions.hit1, sessions.r5, sessions.r10, sessions.ndcg10],
    ...[...scoreTop('realtalk', realtalk), ...scoreTop('beam', beam), scoreTop('madial', madial)[1]],
    ...[scoreAbstracts('cacm', cacm), scoreAbstracts('cranfield', cranfield)]
  ]
  return [name, ...figures.map((figure) => (figure * 100).toFixed(1))]
}

/** Returns our results by category. */
function details({ locomo, cacm, cranfield }) {
  return [
    ...['locomo', scoreRankings('locomo', locomo), ''],
    ...['locomo, sessions', scoreRankings('locomo', locomo, ['--level', 'session']), ''],
    ...['cacm', scoreRankings('cacm', cacm), ''],
    ...['cranfield', scoreRankings('cranfield', cranfield)]
  ]
}
