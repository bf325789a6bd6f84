/**
 * How many of the first ten hits `device forget --query` offers at several coverage thresholds, on every shared set:
 * for queries of other sets, where each is an error, and for memories that answer a set's own questions. `node
 * test/bench/forget-floor.mjs`; the current threshold is `COVERAGE_FLOOR` in src/cli/commands/device/forget-command.ts.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { hasSets, setsFolder } from './eval-sets.mjs'
import { table } from './results-file.mjs'

const SETS = ['madial', 'beam', 'realtalk', 'locomo', 'cacm', 'cranfield']
const FLOORS = [1 / 3, 0.4, 0.5, 0.6, 2 / 3]
/** For each set: groups that are asked, own questions of a group, and questions of each other set. */
const [GROUPS, OWN, OTHERS] = [3, 60, 12]

if (hasSets) await measure()
else console.log(`skipped: the evaluation sets are not there (looked for ${setsFolder})`)

async function measure() {
  const { createSnapshot, openDevice } = await import('../../dist/device.js')
  const folder = mkdtempSync(join(tmpdir(), 'memctl-floor-'))
  const sets = Object.fromEntries(SETS.map((set) => [set, readSet(set)]))
  const rows = [['set', 'hits', ...FLOORS.map((floor) => `at ${floor.toFixed(2)}`)]]
  for (const set of SETS) {
    const hits = []
    for (const group of [...new Set(sets[set].corpus.map((one) => one.group))].slice(0, GROUPS)) {
      const path = join(folder, `${set}-${hits.length}.mem.jsonl`)
      const options = { cacheFolder: join(folder, 'cache'), extract: false }
      await createSnapshot(path, options)
      const opened = openDevice(path, options)
      await opened.storeBatch({ stream: Readable.from(batchLines(sets[set].corpus, group)) })
      for (const query of queriesFor(sets, set, group)) hits.push(...(await hitsOf(opened, query)))
      opened.close()
    }
    const foreign = hits.filter(({ own }) => !own)
    const answers = hits.filter(({ answers }) => answers)
    rows.push(row(`${set}, unrelated queries`, foreign), row(`${set}, memories that answer`, answers))
  }
  rmSync(folder, { recursive: true, force: true })
  console.log(table(rows).join('\n'))
}

function readSet(set) {
  const read = (name) =>
    readFileSync(join(setsFolder, set, name), 'utf8')
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
  const rels = new Map(read('qrels.jsonl').map((one) => [one.qid, one.rels]))
  return { corpus: read('corpus.jsonl'), queries: read('queries.jsonl'), rels }
}

function batchLines(corpus, group) {
  return corpus
    .filter((one) => one.group === group && (one.text ?? '') !== '')
    .map(({ id, text, speaker, session, pos }) => {
      const turn = session === undefined ? {} : { conversation: `${group}/${session}`, position: pos + 1 }
      return Buffer.from(
        `${JSON.stringify({ raw_text: text, metadata: { id }, speaker: speaker ?? undefined, ...turn })}\n`
      )
    })
}

/** Picks `count` items at equal distances, so that each run takes the same ones. */
function spread(list, count) {
  const step = Math.max(1, Math.floor(list.length / count))
  return list.filter((_, at) => at % step === 0).slice(0, count)
}

function queriesFor(sets, set, group) {
  const { queries, rels } = sets[set]
  const own = spread(
    queries.filter((one) => one.group === group),
    OWN
  )
  const others = SETS.filter((other) => other !== set).flatMap((other) => spread(sets[other].queries, OTHERS))
  return [
    ...own.map(({ qid, text }) => ({ text, own: true, rels: rels.get(qid) ?? {} })),
    ...others.map(({ text }) => ({ text, own: false, rels: {} }))
  ]
}

async function hitsOf(opened, { text, own, rels }) {
  const { response, coverageOf } = await opened.search(text.slice(0, 1000), { limit: 10, groups: ['sources'] })
  return response.sources.map(({ speaker, text: said, metadata }) => {
    return { own, answers: rels[metadata.id] > 0, coverage: coverageOf(`${speaker ?? ''}\n${said}`) }
  })
}

function row(name, hits) {
  const parts = FLOORS.map((floor) => hits.filter(({ coverage }) => coverage >= floor).length / hits.length)
  return [name, String(hits.length), ...parts.map((part) => `${(part * 100).toFixed(1)} %`)]
}
