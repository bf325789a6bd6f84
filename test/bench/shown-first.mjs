/**
 * `node test/bench/shown-first.mjs`, after `npm run build`: how often the first entry on the screen of a search is based on
 * an answering memory, and how much the limits of that screen keep and leave out, for conversations of two people. With
 * `--list NAME`, writes the questions of a set whose first entry does not answer, and changes no file.
 */
import { join } from 'node:path'
import { device } from './engines/device.mjs'
import { hasSets, setsFolder } from './eval-sets.mjs'
import { loadSource } from './load-source.mjs'
import { keepResults, table } from './results-file.mjs'
import { readLines, sourceOf } from './shared-data.mjs'

const SETS = ['locomo', 'realtalk']
const TITLE = 'First entry on the screen'
const LEGEND = [
  'The screen is the one of `device search` on a terminal of 80 columns. An entry answers if one of the',
  'memories that answer the question is quoted in it; only an exchange quotes several. Adversarial',
  'questions, and those without an answering memory, are left out. "Called the answer": the first entry',
  'is shown as the direct answer, above the closest passages.'
]
/** Sources that the screen is compared with: as many as it may have entries. */
const SOURCES = 5

const COLUMNS = 80
const QUOTED = /^ {2}[|>] /
/** Number of characters of a text, without spaces, that must be on the screen in a row. */
const SHOWN_UNITS = 20

const { chooseScreen, screenLines, tidyText } = await loadSource(
  `export { chooseScreen } from './src/cli/views/choose-screen.ts'
   export { screenLines } from './src/cli/views/screen-lines.ts'
   export { tidyText } from './src/cli/views/response-lines.ts'`,
  []
)
const listed = process.argv[2] === '--list' ? process.argv[3] : undefined
if (!hasSets) console.log(`skipped: the evaluation sets are not there (looked for ${setsFolder})`)
else if (listed === undefined) await measureAll()
else listFailures(await screensOf(listed))

async function measureAll() {
  const columns = []
  for (const set of SETS) columns.push(measure(await screensOf(set)))
  const rows = Object.keys(columns[0]).map((name) => [name, ...columns.map((column) => column[name])])
  const lines = [...table([['of all questions', ...SETS], ...rows]), '', ...LEGEND]
  console.log(lines.join('\n'))
  keepResults(TITLE, 'node test/bench/shown-first.mjs', lines)
}

/** Returns the questions of a set, each with its screen, its first sources, and a test for entries that answer. */
async function screensOf(set) {
  const read = (name) => readLines(join(setsFolder, set, `${name}.jsonl`))
  const answering = new Map(read('qrels').map(({ qid, rels }) => [qid, rels]))
  const [corpus, queries] = [read('corpus'), read('queries')]
  const engine = await device()
  const screens = []
  for (const group of new Set(corpus.map((entry) => entry.group))) {
    const entries = corpus.filter((entry) => entry.group === group)
    const opened = await engine.build(entries.map(toDocument))
    const turns = [...opened.list().records].map(({ id, metadata }) => [id, entries[metadata.number].id])
    for (const { qid, text, category } of queries.filter((query) => query.group === group)) {
      const relevant = answering.get(qid) ?? {}
      const gold = new Set(turns.filter(([, turn]) => relevant[turn] > 0).map(([id]) => id))
      if (category === 'adversarial' || gold.size === 0) continue
      const { response, placesIn } = await opened.search(text, { explain: true })
      const { answer, passages } = chooseScreen(response, text)
      const quotes = (entry) => entry !== undefined && quotedIds(entry, placesIn).some((id) => gold.has(id))
      screens.push({
        ...{ qid, text, category, answer },
        shown: answer === undefined ? passages : [answer, ...passages],
        sources: response.sources.slice(0, SOURCES),
        answers: quotes,
        isGold: (source) => gold.has(source?.id)
      })
    }
    opened.close()
  }
  return screens
}

/** Returns the ids of the memories of which the drawn entry shows at least the beginning, or a part after `…`. */
function quotedIds(entry, placesIn) {
  const turns = entry.exchange.length === 0 ? [entry] : entry.exchange
  const page = { columns: COLUMNS, colors: false, links: false, width: (text) => text.length }
  const lines = screenLines({ answer: entry, passages: [], left: 0 }, { ...page, placesIn, explain: false })
  const drawn = lines
    .map((line) => line.map((piece) => piece.text ?? piece).join(''))
    .filter((line) => QUOTED.test(line))
  const shown = squeeze(drawn.map((line) => line.replace(QUOTED, '')).join(' '))
  return turns.filter(({ text }) => isQuoted(squeeze(tidyText(text)), shown)).map(({ id }) => id)
}

function isQuoted(text, shown) {
  if (text.length <= SHOWN_UNITS) return shown.includes(text)
  for (let at = 0; at + SHOWN_UNITS <= text.length; at++) {
    if (shown.includes(text.slice(at, at + SHOWN_UNITS))) return true
  }
  return false
}

function squeeze(text) {
  return text.replace(/\s+/g, '')
}

function toDocument(entry, number) {
  const { at, ...source } = sourceOf(entry)
  return { ...source, at: at ?? number, undated: at === undefined }
}

function measure(screens) {
  const shareOf = (all, test) => `${((100 * all.filter(test).length) / all.length).toFixed(1)} %`
  const called = screens.filter(({ answer }) => answer !== undefined)
  const entries = screens.reduce((sum, { shown }) => sum + shown.length, 0)
  return {
    questions: screens.length,
    'the first entry answers': shareOf(screens, ({ shown, answers }) => answers(shown[0])),
    'the first entry is an exchange': shareOf(screens, ({ shown }) => shown[0]?.joined !== undefined),
    'the first source answers': shareOf(screens, ({ sources, isGold }) => isGold(sources[0])),
    'an entry is called the answer': shareOf(screens, ({ answer }) => answer !== undefined),
    '… and answers, of these': shareOf(called, ({ answer, answers }) => answers(answer)),
    'an entry on the screen answers': shareOf(screens, ({ shown, answers }) => shown.some(answers)),
    'one of the first five sources answers': shareOf(screens, ({ sources, isGold }) => sources.some(isGold)),
    'entries on the screen, on average': (entries / screens.length).toFixed(2)
  }
}

function listFailures(screens) {
  for (const { qid, text, category, shown, answers } of screens.filter((one) => !one.answers(one.shown[0]))) {
    console.log(
      JSON.stringify({ qid, category, text, shown: shown.map((one) => [answers(one), one.speaker, one.text]) })
    )
  }
}
