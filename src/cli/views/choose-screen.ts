import { GROUPS } from '../../contract/groups.ts'
import type { MemoryResponse, SemanticEntry, SourceEntry } from '../../contract/memory-response.ts'

/** A memory on the screen of a search, merged with the best fact that comes from it. */
export type ScreenEntry = {
  /** Id of the memory; empty if the response does not contain it. */
  id: string
  /** Number of near-duplicates that this entry represents. */
  copies: number
  score: number
  text: string
  speaker: string | null
  timestamp: string | null
  title: string | null
  url: string | null
  /** Path of the file that the memory was read from. */
  path: string | null
  fact: SemanticEntry | undefined
  /** Values that the fact's attribute had before. */
  before: readonly EarlierValue[]
  /** The value or the memory that replaces what this one says, and since when. */
  replaced: { by: string; at: string | null } | undefined
  explanation: unknown
  /** The turns of the exchange that this entry shows, in order; empty if it shows its memory alone. */
  exchange: readonly ExchangeTurn[]
  /** The entry of the other turn of the exchange that is a source. */
  joined: ScreenEntry | undefined
}

/** A turn of an exchange, as explanations contain it. */
export type ExchangeTurn = { id: string; speaker: string; text: string }

/** A value that a fact's attribute had before, as explanations contain it. */
export type EarlierValue = {
  value: string
  valid_from: string | null
  valid_to: string | null
  source_ids: string[]
}

/** The entries of one screen, and the number of entries of the response that it leaves out. */
export type Screen = {
  answer: ScreenEntry | undefined
  passages: ScreenEntry[]
  left: number
}

/** Entries on one screen. Two sources that are joined count as two, so that they take no more lines than apart. */
export const SCREEN_ENTRIES_MAX = 5

/**
 * An entry is left out if it scores less than this share of the best one. Of the answering memories among the first five
 * sources, this keeps 97.4 % in LoCoMo and 99.3 % in REALTALK (fitted on these questions).
 */
const SHARE = 0.75

/**
 * The first entry is called the answer if it scores at least this much, and the next one at most this share of it. Then it
 * rests on an answering memory for 84 % of such questions in LoCoMo and 83 % in REALTALK; without these limits for 63 and
 * 49 %. The limits were fitted on these questions, under an earlier ranking. `test/bench/shown-first.mjs` measures them.
 */
const ANSWER_SCORE = 0.4
const NEXT_SHARE = 0.9

/**
 * Chooses what one screen shows. The entries are memories in the order of the sources; each is merged with the best fact
 * that comes from it. A fact from another memory comes first only if it scores at least as much as the best source, and
 * a note counts as much as its best fact. Entries about another person than the named one, and those that score far less
 * than the best, are left out. Two entries of one exchange become one, which also has the question between them. What no
 * longer holds comes last.
 */
export function chooseScreen(response: MemoryResponse, query: string): Screen {
  const entries = mergeFacts(response)
  const isAsked = createPersonFilter(entries, query)
  const about = entries.filter(isAsked)
  const [kept, replaced] = [about.filter((entry) => !isOver(entry)), about.filter(isOver)]
  const ordered = [...kept, ...replaced]
  const best = ordered[0]?.score ?? 0
  const shown = joinExchanges(ordered.filter(({ score }) => score >= SHARE * best))
  const [first, second] = shown
  const isAnswer =
    first !== undefined &&
    !isOver(first) &&
    first.score >= ANSWER_SCORE &&
    (second === undefined || isOver(second) || second.score <= NEXT_SHARE * first.score)
  return {
    answer: isAnswer ? first : undefined,
    passages: isAnswer ? shown.slice(1) : shown,
    left: countLeft(response, shown)
  }
}

/**
 * Joins entries of one exchange: a question with its answer, or a statement with the answer to what the other person asks
 * about it. The better one stays and shows all turns. An entry with values that have changed stays alone.
 */
function joinExchanges(entries: readonly ScreenEntry[]): ScreenEntry[] {
  const open = new Map(entries.filter(isUnchanged).map((entry) => [entry.id, entry]))
  const taken = new Set<ScreenEntry>()
  const shown: ScreenEntry[] = []
  let room = SCREEN_ENTRIES_MAX
  for (const entry of entries) {
    if (room === 0) break
    if (taken.has(entry)) continue
    taken.add(entry)
    const exchange = room > 1 && open.get(entry.id) === entry ? readExchange(entry) : []
    const joined = [exchange[0], exchange.at(-1)]
      .flatMap((turn) => open.get(turn?.id ?? '') ?? [])
      .find((other) => !taken.has(other))
    if (joined !== undefined) taken.add(joined)
    shown.push(joined === undefined ? entry : { ...entry, exchange, joined })
    room -= joined === undefined ? 1 : 2
  }
  return shown
}

function isUnchanged({ replaced, before, fact }: ScreenEntry): boolean {
  return replaced === undefined && before.length === 0 && fact?.valid_to == null
}

/** Reads the exchange from the explanation of a source. Ignores turns that are not complete. */
function readExchange({ explanation }: ScreenEntry): ExchangeTurn[] {
  const turns: unknown = (explanation as Record<string, unknown> | undefined)?.exchange
  if (!Array.isArray(turns)) return []
  return turns.flatMap(({ id, speaker, text }: Partial<Record<string, unknown>>) =>
    typeof id === 'string' && typeof speaker === 'string' && typeof text === 'string' ? [{ id, speaker, text }] : []
  )
}

function isOver({ replaced }: ScreenEntry): boolean {
  return replaced !== undefined
}

/** Counts the entries of the response that come from none of the shown memories. */
function countLeft(response: MemoryResponse, shown: readonly ScreenEntry[]): number {
  const ids = new Set(shown.flatMap(({ id, joined }) => [id, ...(joined === undefined ? [] : [joined.id])]))
  return GROUPS.flatMap((group): { source_ids: string[] }[] => response[group]).filter(
    ({ source_ids }) => !source_ids.some((id) => ids.has(id))
  ).length
}

/** Converts the sources to entries with their facts. Facts of other memories become entries between them, by score. */
function mergeFacts(response: MemoryResponse): ScreenEntry[] {
  const { semantics, sources } = response
  const entries = sources.map(toScreenEntry)
  const owners = new Map(sources.flatMap(({ source_ids }, at) => source_ids.map((id) => [id, entries[at]] as const)))
  const others: ScreenEntry[] = []
  for (const fact of semantics) {
    // The first memory that states it may be an earlier version of a text, which is not among the sources.
    const owner = fact.source_ids.map((id) => owners.get(id)).find((entry) => entry !== undefined)
    const isFirst = owner?.fact === undefined
    if (owner === undefined) others.push(toFactEntry(fact))
    else if (isFirst)
      Object.assign(owner, {
        fact,
        // Of the many facts of a note, one may answer better than the whole. A turn of a conversation says little else.
        score: owner.speaker === null ? Math.max(owner.score, fact.score) : owner.score,
        before: readEarlierValues(fact, 'supersedes')
      })
  }
  markReplaced([...entries, ...others], semantics)
  return [...entries, ...others].sort((left, right) => right.score - left.score)
}

function toScreenEntry(source: SourceEntry): ScreenEntry {
  const { id, source_ids, score, text, speaker, timestamp, title, url, metadata, superseded_by, superseded_at } = source
  return {
    ...{ id, score, text, speaker, timestamp, title, url },
    copies: source_ids.length - 1,
    path: readPath(metadata),
    fact: undefined,
    before: [],
    replaced: superseded_by === undefined ? undefined : { by: superseded_by, at: superseded_at ?? null },
    explanation: source.explanation,
    exchange: [],
    joined: undefined
  }
}

/** Builds the entry of a fact whose memory is not among the sources: from the memory in its explanation, if there is one. */
function toFactEntry(fact: SemanticEntry): ScreenEntry {
  const { score, source_ids, subject, predicate, value, explanation } = fact
  const memory = (explanation?.memory ?? {}) as Partial<SourceEntry>
  return {
    id: source_ids[0] ?? '',
    score,
    copies: 0,
    text: memory.text ?? [subject, predicate, value].join(' '),
    speaker: memory.speaker ?? null,
    timestamp: memory.timestamp ?? null,
    title: memory.title ?? null,
    url: memory.url ?? null,
    path: readPath(memory.metadata ?? {}),
    fact,
    before: readEarlierValues(fact, 'supersedes'),
    replaced: undefined,
    explanation,
    exchange: [],
    joined: undefined
  }
}

/** Reads `source.path`, which imports and connections put into the metadata. */
function readPath({ source }: SourceEntry['metadata']): string | null {
  const path = typeof source === 'object' && source !== null && !Array.isArray(source) ? source.path : undefined
  return typeof path === 'string' && path !== '' ? path : null
}

function readEarlierValues({ explanation }: SemanticEntry, field: 'supersedes' | 'superseded_by'): EarlierValue[] {
  const values = explanation?.[field]
  return Array.isArray(values) ? values : []
}

/** Marks entries whose memory states a value that a current fact replaces, unless the query asks for such values. */
function markReplaced(entries: readonly ScreenEntry[], semantics: readonly SemanticEntry[]): void {
  if (semantics.some(({ valid_to }) => valid_to !== null)) return
  const current = new Set(semantics.flatMap(({ source_ids }) => source_ids))
  const by = new Map(
    semantics.flatMap((fact) =>
      readEarlierValues(fact, 'supersedes').flatMap(({ source_ids }) =>
        source_ids.map((id) => [id, { by: fact.value, at: fact.valid_from }] as const)
      )
    )
  )
  for (const entry of entries) {
    if (!current.has(entry.id)) entry.replaced ??= by.get(entry.id)
  }
}

/**
 * Returns a function that accepts entries about a person whom the query names: those that contain the name or whose speaker
 * has it. Without such a name, or if no entry has it, all entries are accepted. This leaves out 13 to 22 % of the first ten
 * sources in LoCoMo and REALTALK, and 2 % of those that answer (fitted on these questions).
 */
function createPersonFilter(entries: readonly ScreenEntry[], query: string): (entry: ScreenEntry) => boolean {
  const people = new Set(entries.flatMap(({ speaker }) => readNames(speaker ?? '')))
  const asked = readNames(query).filter((name) => people.has(name))
  if (asked.length === 0) return () => true
  return ({ text, speaker, title, fact }) => {
    const names = new Set(
      readNames([speaker, text, title, fact?.subject, fact?.value].filter((one) => one != null).join(' '))
    )
    return speaker === null || asked.some((name) => names.has(name))
  }
}

/** Returns the words of a text that start with a capital letter, without a possessive ending. */
function readNames(text: string): string[] {
  return [...text.matchAll(CAPITALISED)].map(([word]) => word.replace(/['’]s?$/, ''))
}

const CAPITALISED = /\p{Lu}[\p{L}\p{M}'’-]*/gu
