import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { numbered } from './engines/memctl.mjs'
import { loadExtraction } from './extraction-load.mjs'
import { dataFolder, readLines, sourceOf } from './shared-data.mjs'

/** Where the shared evaluation sets lie: they are no part of this project and may lie beside it. */
export const setsFolder = join(dataFolder, 'sets')

export const hasSets = existsSync(setsFolder)

/** Sets by name, each as groups that are indexed apart: name; documents as an index takes them in, with facts; queries; ids by document. */
export async function readSets() {
  const { understand } = await loadExtraction()
  return Object.fromEntries(['locomo', 'cacm', 'cranfield'].map((set) => [set, readGroups(set, understand)]))
}

function readGroups(set, understand) {
  const corpus = readLines(join(setsFolder, set, 'corpus.jsonl'))
  const queries = readLines(join(setsFolder, set, 'queries.jsonl'))
  return [...new Set(corpus.map(({ group }) => group))].map((name) => {
    const entries = corpus.filter(({ group }) => group === name)
    return {
      name,
      ids: entries.map(({ id }) => id),
      documents: entries.map((entry, number) => numbered(documentOf(entry, number, understand), number)),
      queries: queries.filter(({ group }) => group === name)
    }
  })
}

/** What has no date was stored a millisecond after what stands before it. */
function documentOf(entry, number, understand) {
  const { at, ...source } = sourceOf(entry)
  const { text, title, speaker } = source
  const hash = createHash('sha256').update(entry.id).digest()
  return {
    ...source,
    ...understand({ text, title, speaker, at: at === undefined ? undefined : new Date(at).toISOString() }),
    id: hash.subarray(0, 16),
    check: hash,
    at: at ?? number,
    undated: at === undefined
  }
}

/** An index of each group, by an engine. */
export function buildGroups(engine, groups) {
  return Promise.all(groups.map(({ documents }) => engine.build(documents)))
}

/** What an engine ranks for every query of a set, `length` ids each: `indexes` as `buildGroups` gives them. */
export async function rankGroups(engine, { groups, indexes, length }) {
  const rankings = []
  for (const [at, { ids, queries, documents }] of groups.entries()) {
    for (const { qid, text } of queries) {
      const hits = await engine.search(indexes[at], text, { limit: length, documents })
      rankings.push({ qid, ranking: hits.map((hit) => ids[engine.numberOf(hit)]) })
    }
  }
  return rankings
}
