/**
 * `node test/bench/shown-first.mjs`, after `npm run build`: how often the first displayed result is based on an
 * answering turn, for all questions to the shared conversations with all groups. Compares the current order of groups
 * with facts first and with sources first.
 */
import { join } from 'node:path'
import { device } from './engines/device.mjs'
import { hasSets, readSets, setsFolder } from './eval-sets.mjs'
import { loadSource } from './load-source.mjs'
import { keepResults, table } from './results-file.mjs'
import { readLines } from './shared-data.mjs'

const TITLE = 'First entry of a result'
const HEAD = ['order of groups', ...['all questions', 'categories 1 to 4'].map((all) => `answered, of ${all}`)]
const LEGEND = 'A question counts as answered if the first entry of the first group is based on an answering turn.'

if (hasSets) await measure()
else console.log(`skipped: the evaluation sets are not there (looked for ${setsFolder})`)

async function measure() {
  const { groupOrder } = await loadSource(`export { groupOrder } from './src/cli/views/group-order.ts'`, [])
  const { locomo } = await readSets(['locomo'])
  const orders = {
    'group with the most likely answer first': (response) => groupOrder(response).shown,
    'facts first': () => ['semantics', 'procedures', 'sources'],
    'sources first': () => ['sources', 'semantics', 'procedures']
  }
  const answers = await answersTo(locomo)
  const rows = Object.entries(orders).map(([name, order]) => [name, ...countsOf(answers, order)])
  const lines = [...table([HEAD, ...rows]), '', LEGEND]
  console.log(lines.join('\n'))
  keepResults(TITLE, 'node test/bench/shown-first.mjs', lines)
}

/** Returns each question with its answer. `answering` are the ids of memories that answer it. */
async function answersTo(groups) {
  const answering = new Map(readLines(join(setsFolder, 'locomo', 'qrels.jsonl')).map(({ qid, rels }) => [qid, rels]))
  const engine = await device()
  const answers = []
  for (const { documents, ids, queries } of groups) {
    const opened = await engine.build(documents)
    const turns = new Map([...opened.list().records].map(({ id, metadata }) => [id, ids[metadata.number]]))
    for (const { qid, text, category } of queries) {
      const { response } = await opened.search(text)
      const relevant = answering.get(qid) ?? {}
      answers.push({ response, category, answers: (id) => (relevant[turns.get(id)] ?? 0) > 0 })
    }
    opened.close()
  }
  return answers
}

function countsOf(answers, order) {
  const usual = answers.filter(({ category }) => category !== 'adversarial')
  return [answers, usual].map((asked) => {
    const right = asked.filter(({ response, answers }) => {
      const first = order(response).find((group) => response[group].length > 0)
      return first !== undefined && response[first][0].source_ids.some(answers)
    })
    return `${right.length} of ${asked.length} (${((100 * right.length) / asked.length).toFixed(1)} %)`
  })
}
