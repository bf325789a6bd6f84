/**
 * `npm run eval`: ranking quality on the shared evaluation sets, which are no part of this project and lie beside it.
 * Indexes are built from the sets as the data's own README says, and its own scripts count the results.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadSearch } from './load-search.mjs'
import { keepResults } from './results-file.mjs'
import { dataFolder, readLines, sourceOf } from './shared-data.mjs'

const RANKING_LENGTH = 100
/** Where a document would stand in a snapshot: any place of its own will do. */
const LINE_BYTES = 1000

if (!existsSync(join(dataFolder, 'sets'))) {
  console.log(`eval skipped: the evaluation sets are not there (looked for ${dataFolder})`)
} else {
  const search = await loadSearch()
  const folder = mkdtempSync(join(tmpdir(), 'memctl-eval-'))
  const lines = []
  try {
    for (const set of ['locomo', 'cacm', 'cranfield']) {
      const file = join(folder, `${set}.jsonl`)
      writeFileSync(file, (await rankSet(search, set)).map((line) => JSON.stringify(line)).join('\n'))
      lines.push(set, score(set, file).trimEnd(), '')
      if (set === 'locomo') lines.push(`${set}, sessions`, score(set, file, '--level', 'session').trimEnd(), '')
    }
    console.log(lines.join('\n'))
    keepResults('Ranking quality (x100)', 'npm run eval', ['```', ...lines.slice(0, -1), '```'])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function rankSet(search, set) {
  const corpus = readLines(join(dataFolder, 'sets', set, 'corpus.jsonl'))
  const queries = readLines(join(dataFolder, 'sets', set, 'queries.jsonl'))
  const rankings = []
  for (const group of new Set(corpus.map((document) => document.group))) {
    const documents = corpus.filter((document) => document.group === group)
    const index = await search.createIndex(search.assets)
    for (const [line, document] of documents.entries()) index.add(memoryOf(document, line))
    for (const query of queries.filter((query) => query.group === group)) {
      const hits = index.search(query.text, { limit: RANKING_LENGTH })
      rankings.push({ qid: query.qid, ranking: hits.map(({ offset }) => documents[offset / LINE_BYTES].id) })
    }
    index.close()
  }
  return rankings
}

function memoryOf(document, line) {
  const { at, ...source } = sourceOf(document)
  const hash = createHash('sha256').update(document.id).digest()
  return {
    ...source,
    id: hash.subarray(0, 16),
    at: at ?? line,
    undated: at === undefined,
    offset: line * LINE_BYTES,
    length: LINE_BYTES - 1,
    extractor: 1,
    check: hash
  }
}

function score(set, file, ...more) {
  const script = join(dataFolder, 'eval', 'score_rankings.mjs')
  return execFileSync(process.execPath, [script, set, file, ...more], { encoding: 'utf8' })
}
