/**
 * `node test/bench/facts-answer.mjs`: how often facts answer questions to the shared conversations, without the
 * adversarial ones. It measures whether the first fact, one of the first three and one of the first ten is based on an
 * answering turn, and how many of the answer's words, without those of the question, the best of these contains. Two
 * conversations were used for tuning; three only check the result.
 */
import { join } from 'node:path'
import { memctl } from './engines/memctl.mjs'
import { hasSets, readSets, setsFolder } from './eval-sets.mjs'
import { loadSearch } from './load-search.mjs'
import { keepResults, table } from './results-file.mjs'
import { readLines } from './shared-data.mjs'

const TITLE = 'Facts that answer (x100)'
const CHOSEN_ON = ['conv-26', 'conv-43']
const FIRST = [1, 3, 10]
const HEAD = [
  'conversations',
  'questions',
  ...FIRST.map((count) => `one of the first ${count} is based on an answering turn`),
  ...FIRST.map((count) => `words of the answer in the best of the first ${count}`)
]

if (hasSets) await measure()
else console.log(`skipped: the evaluation sets are not there (looked for ${setsFolder})`)

async function measure() {
  const { locomo } = await readSets(['locomo'])
  const answering = new Map(readLines(join(setsFolder, 'locomo', 'qrels.jsonl')).map(({ qid, rels }) => [qid, rels]))
  const search = await loadSearch()
  const found = []
  for (const group of locomo) {
    const asking = await askable(group, search)
    for (const query of group.queries.filter(({ category }) => category !== 'adversarial')) {
      const facts = asking(query.text)
      found.push({ group: group.name, ...judged(facts, query, { rels: answering.get(query.qid) ?? {}, search }) })
    }
  }
  const isChosen = ({ group }) => CHOSEN_ON.includes(group)
  const rows = [
    [CHOSEN_ON.join(', '), ...shares(found.filter(isChosen))],
    ['the other three conversations', ...shares(found.filter((one) => !isChosen(one)))]
  ]
  const lines = table([HEAD, ...rows])
  console.log(lines.join('\n'))
  keepResults(TITLE, 'node test/bench/facts-answer.mjs', lines)
}

/** Creates a function that asks the conversation of a group for facts, each with its text and the ids of its turns. */
async function askable({ documents, ids }, search) {
  const index = await memctl(search).build(documents)
  const records = documents.map(recordOf)
  const places = new Map(documents.map(({ offset }, number) => [offset, number]))
  const turns = new Map(records.map(({ id }, number) => [id, ids[number]]))
  const read = ({ offset }) => records[places.get(offset)]
  return (query) => {
    const asked = { query, limit: Math.max(...FIRST), groups: ['semantics'] }
    const { response } = search.answerQuery(asked, { inquire: index.inquire, read })
    return response.semantics.map(({ subject, predicate, value, source_ids }) => ({
      turns: source_ids.map((id) => turns.get(id)),
      text: `${subject} ${predicate} ${value}`
    }))
  }
}

function recordOf({ id, at, undated, text, speaker, conversation, position, facts, procedures, extractor }) {
  const memory = { type: 'memory', id: `mem_${id.toString('hex')}`, at: new Date(at).toISOString() }
  const about = { text, speaker, conversation, position, facts, procedures, extractor, metadata: {} }
  return { ...memory, ...about, ...(undated ? { undated } : {}) }
}

/** Judges the first facts: whether one is based on an answering turn, and the best share of the answer's words. */
function judged(facts, { text, answer }, { rels, search }) {
  const asked = new Set(search.analyse(text))
  const words = [...new Set(search.analyse(String(answer ?? '')))].filter((word) => !asked.has(word))
  const judgements = facts.map((fact) => {
    const said = new Set(search.analyse(fact.text))
    const shared = words.filter((word) => said.has(word)).length
    return { rests: fact.turns.some((id) => (rels[id] ?? 0) > 0), share: shared / Math.max(1, words.length) }
  })
  return {
    rests: FIRST.map((count) => judgements.slice(0, count).some(({ rests }) => rests)),
    share: FIRST.map((count) => Math.max(0, ...judgements.slice(0, count).map(({ share }) => share)))
  }
}

function shares(found) {
  const mean = (of) => ((100 * found.reduce((sum, one) => sum + of(one), 0)) / found.length).toFixed(1)
  const columns = FIRST.map((_, at) => mean(({ rests }) => (rests[at] ? 1 : 0)))
  return [String(found.length), ...columns, ...FIRST.map((_, at) => mean(({ share }) => share[at]))]
}
