import { MEMORY_KINDS, type MemoryKind } from '../../contract/groups.ts'
import type { Metadata } from '../../contract/snapshot.ts'
import { findSource } from '../../memory/fields.ts'
import { cutTerm } from '../analyse/to-term.ts'

/** Prefix of terms that filters look up. Only a term of white space begins with a vertical tab. */
const FILTER_MARK = '\v'

/** Builds the term of a condition. The value must be folded. */
export function buildFilterTerm(name: 'conversation' | 'source' | 'kind', value: string): string {
  return cutTerm(`${FILTER_MARK}${name}:${value}`)
}

/** Folds a value so that case and Unicode form do not matter. */
export function foldFilterValue(value: string): string {
  return value.normalize('NFKC').toLowerCase().trim()
}

/** What filters ask about a memory. */
export type Filtered = {
  conversation?: string | undefined
  /** As `listSources` returns them. */
  sources?: readonly string[] | undefined
  kinds?: readonly MemoryKind[] | undefined
}

/** Returns the terms by which filters find a memory. */
export function collectFilterTerms({ conversation, sources = [], kinds = [] }: Filtered): string[] {
  return [
    ...(conversation === undefined ? [] : [buildFilterTerm('conversation', foldFilterValue(conversation))]),
    ...sources.map((source) => buildFilterTerm('source', foldFilterValue(source))),
    ...kinds.map((kind) => buildFilterTerm('kind', kind))
  ]
}

/** Maximum number of sources of a memory: the folders of its path among them. */
const SOURCES_MAX = 32

/**
 * Lists the names of where a memory comes from, from its metadata: `source` if it is a text (a provider), or its
 * `format` and `path`, with every folder of the path; and `origin`, where `mcp:NAME` also counts as `mcp`.
 *
 *     {"source":{"format":"markdown","path":"notes/work/a.md"}} -> markdown, notes/work/a.md, notes, notes/work
 */
export function listSources(metadata: Metadata | undefined): string[] {
  if (metadata === undefined) return []
  const { source, origin } = metadata
  const { format, path } = findSource(metadata) ?? {}
  const protocol = typeof origin === 'string' && origin.startsWith('mcp:') ? 'mcp' : undefined
  const texts = [source, format, path, origin, protocol].filter((text) => typeof text === 'string')
  return [...new Set([...texts, ...(typeof path === 'string' ? listFolders(path) : [])])].slice(0, SOURCES_MAX)
}

function listFolders(path: string): string[] {
  const parts = path.split('/').slice(0, SOURCES_MAX)
  return parts.slice(1).map((_, count) => parts.slice(0, count + 1).join('/'))
}

/** Lists the kinds of what was extracted from a memory. */
export function listKinds(extracted: {
  facts: readonly unknown[] | undefined
  events: readonly unknown[] | undefined
  procedures: readonly { kind: MemoryKind }[] | undefined
}): MemoryKind[] {
  const { facts = [], events = [], procedures = [] } = extracted
  const kinds = new Set<MemoryKind>(procedures.map(({ kind }) => kind))
  if (facts.length > 0) kinds.add('fact')
  if (events.length > 0) kinds.add('event')
  return MEMORY_KINDS.filter((kind) => kinds.has(kind))
}
