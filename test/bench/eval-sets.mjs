import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { numbered } from './engines/memctl.mjs'
import { loadExtraction } from './extraction-load.mjs'
import { dataFolder, readLines, sourceOf } from './shared-data.mjs'

/** The folder of the shared evaluation sets, which are not part of this project and may be beside it. */
export const setsFolder = join(dataFolder, 'sets')

/** All shared sets: conversations of two people, chats with an assistant, dialogues as queries, abstracts. */
const SETS = ['locomo', 'realtalk', 'beam', 'madial', 'cacm', 'cranfield']

export const hasSets = existsSync(setsFolder)

/**
 * Reads the sets by name, each as groups that are indexed separately: name; documents for an index, with facts;
 * queries; ids by document.
 */
export async function readSets(names = SETS) {
  const { understand } = await loadExtraction()
  return Object.fromEntries(names.map((set) => [set, readGroups(set, understand)]))
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

/** Builds a document. One without a date is stored a millisecond after the previous one. */
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

/** Builds an index of each group with an engine. */
export function buildGroups(engine, groups) {
  return Promise.all(groups.map(({ documents }) => engine.build(documents)))
}

/** Ranks every query of a set with an engine, `length` ids each. `indexes` are those of `buildGroups`. */
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
