/**
 * `npm run eval`: ranking quality on the shared evaluation sets, which are no part of this project and lie beside it.
 * Indexes are built from the sets as the data's own README says, and its own scripts count the results.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadSearch } from './load-search.mjs'
import { keepResults } from './results-file.mjs'

const data = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'shared', 'data')
const RANKING_LENGTH = 100
/** Where a document would stand in a snapshot: any place of its own will do. */
const LINE_BYTES = 1000

if (!existsSync(join(data, 'sets'))) {
  console.log(`eval skipped: the evaluation sets are not there (looked for ${data})`)
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
    rmSync(search.bundle)
  }
}

async function rankSet(search, set) {
  const corpus = readLines(join(data, 'sets', set, 'corpus.jsonl'))
  const queries = readLines(join(data, 'sets', set, 'queries.jsonl'))
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
  const turn = document.session !== undefined
  return {
    id: createHash('sha256').update(document.id).digest().subarray(0, 16),
    text: document.caption === undefined ? document.text : `${document.text} [image: ${document.caption}]`,
    title: document.title,
    speaker: document.speaker,
    conversation: turn ? `${document.group}#${document.session}` : undefined,
    at: document.date === undefined ? line : dateOf(document.date),
    undated: document.date === undefined,
    position: turn ? document.pos + 1 : undefined,
    offset: line * LINE_BYTES,
    length: LINE_BYTES - 1,
    extractor: 1,
    check: createHash('sha256').update(document.id).digest()
  }
}

/** `1:56 pm on 8 May, 2023` as ms since 1970. */
function dateOf(text) {
  const [, hour, minute, half, day] = /^(\d+):(\d+) (am|pm) on (.+)$/.exec(text)
  const hours = (Number(hour) % 12) + (half === 'pm' ? 12 : 0)
  return Date.parse(`${day} UTC`) + (hours * 60 + Number(minute)) * 60_000
}

function score(set, file, ...more) {
  const script = join(data, 'eval', 'score_rankings.mjs')
  return execFileSync(process.execPath, [script, set, file, ...more], { encoding: 'utf8' })
}

function readLines(path) {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}
