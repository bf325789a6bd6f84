/**
 * `node test/bench/extraction-eval.mjs`: quality and speed of fact extraction on the shared evaluation data. News
 * sentences are scored by CaRB's metric, turns of conversations by the reference facts about them, with the data's own
 * scripts. CaRB's tuples keep pronouns, so they are not resolved there.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { carbTuples, hasData, sourceOf, turns } from './extraction-data.mjs'
import { loadExtraction } from './extraction-load.mjs'
import { keepResults } from './results-file.mjs'
import { dataFolder } from './shared-data.mjs'

/** The first runs warm up the program; the best run is reported, by processor time. */
const RUNS = 5

if (!hasData) {
  console.log(`extraction skipped: the evaluation sets are not there (looked for ${dataFolder})`)
} else {
  const { readSentences, findFacts, understand } = await loadExtraction()
  const folder = mkdtempSync(join(tmpdir(), 'memctl-extraction-'))
  try {
    const news = [...carbTuples().keys()]
    const talk = turns()
    const sources = { news: news.map((text) => sourceOf(text)), talk: talk.map(turnSource) }
    const facts = (source) => void findFacts(readSentences(source.text), source)
    const lines = [
      `news (CaRB dev): ${scoreNews(news)}`,
      `talk (facts_cover): ${scoreTalk(talk)}`,
      `facts reviewed by a person: ${verdicts()}`,
      `sentences per second on one core, facts only: news ${rateOf(sources.news, facts)}, talk ${rateOf(sources.talk, facts)}`,
      `sentences per second on one core, full extraction: news ${rateOf(sources.news, understand)}, talk ${rateOf(sources.talk, understand)}`
    ]
    console.log(lines.join('\n'))
    keepResults('Extraction', 'npm run eval', ['```', ...lines, '```'])
  } finally {
    rmSync(folder, { recursive: true })
  }

  function scoreNews(sentences) {
    const lines = sentences.flatMap((sent) =>
      findFacts(readSentences(sent), sourceOf(sent), { pronouns: 'keep' }).map((fact) => ({
        sent,
        rel: fact.predicate,
        args: [fact.subject, fact.value],
        conf: fact.confidence
      }))
    )
    return run('python3', ['carb_score.py', join(dataFolder, 'carb', 'dev.tsv'), keep('news.jsonl', lines)])
  }

  function scoreTalk(talk) {
    const lines = talk.flatMap((turn) =>
      findFacts(readSentences(turn.text), turnSource(turn)).map(({ subject, predicate, value }) => ({
        src: turn.id,
        subject,
        predicate,
        value
      }))
    )
    return run(process.execPath, ['facts_cover.mjs', keep('talk.jsonl', lines)])
  }

  function rateOf(sources, work) {
    const count = sources.reduce((sum, { text }) => sum + readSentences(text).length, 0)
    let best = 0
    for (let round = 0; round < RUNS; round++) {
      const start = process.cpuUsage()
      for (const source of sources) work(source)
      const { user, system } = process.cpuUsage(start)
      best = Math.max(best, (count / (user + system)) * 1e6)
    }
    return Math.round(best)
  }

  function keep(name, lines) {
    const path = join(folder, name)
    writeFileSync(path, lines.map((line) => JSON.stringify(line)).join('\n'))
    return path
  }
}

/** Returns the verdicts of reviewing facts drawn by `draw-facts.mjs` with their texts. */
function verdicts() {
  const lines = readFileSync(new URL('fact-verdicts.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  const isTrue = lines.filter((line) => JSON.parse(line).true).length
  return `${isTrue} of ${lines.length} true to the text`
}

function turnSource({ text, speaker }) {
  return sourceOf(text, speaker)
}

function run(program, [script, ...rest]) {
  return execFileSync(program, [join(dataFolder, 'eval', script), ...rest], { encoding: 'utf8' }).trim()
}
