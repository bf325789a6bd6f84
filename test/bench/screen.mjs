/**
 * `node test/bench/screen.mjs`, after `npm run build`: how often the first entry on the screen of a search is based on an
 * answering memory, and how much the limits of that screen keep and leave out, for conversations of two people.
 */
import { join } from 'node:path'
import { device } from './engines/device.mjs'
import { loadSource } from './load-source.mjs'
import { dataFolder, readLines, sourceOf } from './shared-data.mjs'

const { chooseScreen } = await loadSource(`export { chooseScreen } from './src/cli/views/choose-screen.ts'`, [])
for (const set of ['locomo', 'realtalk']) console.log(set, measure(await answersTo(set)))

/** Returns the usual questions of a set, each with its response and the ids of the memories that answer it. */
async function answersTo(set) {
  const read = (name) => readLines(join(dataFolder, 'sets', set, `${name}.jsonl`))
  const answering = new Map(read('qrels').map(({ qid, rels }) => [qid, rels]))
  const [corpus, queries] = [read('corpus'), read('queries')]
  const engine = await device()
  const answers = []
  for (const group of new Set(corpus.map((entry) => entry.group))) {
    const entries = corpus.filter((entry) => entry.group === group)
    const opened = await engine.build(entries.map(toDocument))
    const turns = [...opened.list().records].map(({ id, metadata }) => [id, entries[metadata.number].id])
    for (const { qid, text, category } of queries.filter((query) => query.group === group)) {
      const relevant = answering.get(qid) ?? {}
      const gold = new Set(turns.filter(([, turn]) => relevant[turn] > 0).map(([id]) => id))
      if (category === 'adversarial' || gold.size === 0) continue
      const { response } = await opened.search(text, { explain: true })
      answers.push({ text, response, isRight: (entry) => gold.has(entry?.id) })
    }
    opened.close()
  }
  return answers
}

function toDocument(entry, number) {
  const { at, ...source } = sourceOf(entry)
  return { ...source, at: at ?? number, undated: at === undefined }
}

function measure(answers) {
  const screens = answers.map(({ text, response, isRight }) => ({
    screen: chooseScreen(response, text),
    sources: response.sources.slice(0, 5),
    isRight
  }))
  const called = screens.filter(({ screen }) => screen.answer !== undefined)
  const first = screens.filter(({ screen, isRight }) => isRight(screen.answer ?? screen.passages[0]))
  const shown = screens.map(({ screen }) => [...(screen.answer ? [screen.answer] : []), ...screen.passages])
  return {
    questions: screens.length,
    'right first': share(first.length, screens.length),
    'called the answer': share(called.length, screens.length),
    'of these right': share(called.filter(({ screen, isRight }) => isRight(screen.answer)).length, called.length),
    'right source first': share(screens.filter(({ sources, isRight }) => isRight(sources[0])).length, screens.length),
    'right among five sources': share(
      screens.filter(({ sources, isRight }) => sources.some(isRight)).length,
      screens.length
    ),
    'right on screen': share(shown.filter((entries, at) => entries.some(screens[at].isRight)).length, screens.length),
    'entries on screen': (shown.reduce((sum, entries) => sum + entries.length, 0) / shown.length).toFixed(2)
  }
}

function share(part, whole) {
  return `${((100 * part) / whole).toFixed(1)} %`
}
