/**
 * `node test/bench/extraction-eval.mjs`: how well and how fast facts are taken out of text, on the shared evaluation data. News
 * sentences are scored by CaRB's metric, turns of conversations by the reference facts about them; the data's own scripts count.
 * CaRB's tuples keep pronouns as they stand, so there they are not resolved.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { carbTuples, data, hasData, sourceOf, turns } from './extraction-data.mjs'
import { loadExtraction } from './extraction-load.mjs'

/** The first runs warm the program up; the best of these is shown. */
const RUNS = 5

if (!hasData) {
  console.log(`extraction skipped: the evaluation sets are not there (looked for ${data})`)
} else {
  const { readSentences, factsOfSentences } = await loadExtraction()
  const folder = mkdtempSync(join(tmpdir(), 'memctl-extraction-'))
  try {
    const news = [...carbTuples().keys()]
    const talk = turns()
    console.log('news (CaRB dev)      ', scoreNews(news))
    console.log('talk (facts_cover)   ', scoreTalk(talk))
    const speed = { news: rateOf(news.map((text) => sourceOf(text))), talk: rateOf(talk.map(turnSource)) }
    console.log(`sentences per second  news ${speed.news}, talk ${speed.talk}, one core`)
  } finally {
    rmSync(folder, { recursive: true })
  }

  function scoreNews(sentences) {
    const lines = sentences.flatMap((sent) =>
      factsOfSentences(readSentences(sent), sourceOf(sent), { pronouns: 'keep' }).map((fact) => ({
        sent,
        rel: fact.predicate,
        args: [fact.subject, fact.value],
        conf: fact.confidence
      }))
    )
    return run('python3', ['carb_score.py', join(data, 'carb', 'dev.tsv'), keep('news.jsonl', lines)])
  }

  function scoreTalk(talk) {
    const lines = talk.flatMap((turn) =>
      factsOfSentences(readSentences(turn.text), turnSource(turn)).map(({ subject, predicate, value }) => ({
        src: turn.id,
        subject,
        predicate,
        value
      }))
    )
    return run(process.execPath, ['facts_cover.mjs', keep('talk.jsonl', lines)])
  }

  function rateOf(sources) {
    let best = 0
    for (let round = 0; round < RUNS; round++) {
      const start = performance.now()
      let count = 0
      for (const source of sources) {
        const sentences = readSentences(source.text)
        count += sentences.length
        factsOfSentences(sentences, source)
      }
      best = Math.max(best, (count / (performance.now() - start)) * 1000)
    }
    return Math.round(best)
  }

  function keep(name, lines) {
    const path = join(folder, name)
    writeFileSync(path, lines.map((line) => JSON.stringify(line)).join('\n'))
    return path
  }
}

function turnSource({ text, speaker }) {
  return sourceOf(text, speaker)
}

function run(program, [script, ...rest]) {
  return execFileSync(program, [join(data, 'eval', script), ...rest], { encoding: 'utf8' }).trim()
}
