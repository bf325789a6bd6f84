import * as z from 'zod'
import { parseJson } from '../http/parse-value.ts'
import type { Ledger } from '../port/provider.ts'
import type { Cursor } from './cursor.ts'

/**
 * What is known of the account's pages, as keys of the ledger. All keys of one id are in one partition, so that everything can be
 * read without being held in memory at once. There are two tables that know nothing of each other: `c` holds what changes have told,
 * `l` what a listing has found.
 */
export type PageTable = {
  page(id: string): Promise<PageNote | undefined>
  notePage(id: string, note: PageNote): void
  dropPage(id: string): void
  /** Pages and databases that stood in a page, data sources of a database, rows of a data source. */
  children(id: string): Promise<string[]>
  addChild(id: string, child: string): void
  dropChild(id: string, child: string): void
  /** Pages and databases that are asked for in every pass, as nothing else would tell of them. */
  watch(id: string, kind: Watched): void
  unwatch(id: string): void
  source(id: string): Promise<SourceNote | undefined>
  noteSource(id: string, note: SourceNote): void
  dropSource(id: string): void
  /** Reads a partition: what is watched, and the data sources. */
  partition(at: number): Promise<Partition>
  /** Drops what a whole pass that began at `since` did not come by. */
  sweepPartition(at: number, since: number): Promise<void>
  /** Drops everything of a partition. */
  clearPartition(at: number): Promise<void>
}

type TableId = 'c' | 'l'

type Watched = 'page' | 'database'

type Partition = { watched: Map<string, Watched>; sources: Map<string, SourceNote> }

/**
 * `edited` as the provider says it; `read` when its text was asked for, in milliseconds of our clock, and `pass` when the pass began that did so:
 * both 0 where that failed.
 */
export type PageNote = z.infer<typeof PageNote>

/** `full`: all its rows were listed. `queued`: when that was last asked for (ms). */
type SourceNote = z.infer<typeof SourceNote>

const PageNote = z.strictObject({
  edited: z.string(),
  read: z.number(),
  pass: z.number(),
  version: z.string().optional(),
  place: z.string().optional(),
  /** The page in which it was found. */
  above: z.string().optional(),
  /** Search or a query has told of it. */
  listed: z.boolean()
})

const SourceNote = z.strictObject({ full: z.boolean(), queued: z.number() })

export const PARTITIONS = 16

/** Opens one of the two tables. */
export function openPageTable(draft: LedgerDraft, table: TableId): PageTable {
  const key = (kind: string, id: string) => `${choosePartition(id)}:${table}:${kind}:${id}`
  const read = async <S extends z.ZodType>(at: string, schema: S) => parseNote(await draft.get(at), schema)
  const write = (at: string, note: unknown) => draft.set(at, JSON.stringify(note))
  const listPartition = (at: number) => draft.entries(`${at.toString(16)}:${table}:`)
  return {
    page: (id) => read(key('page', id), PageNote),
    notePage: (id, note) => write(key('page', id), note),
    dropPage: (id) => draft.set(key('page', id), undefined),
    async children(id) {
      const prefix = `${key('in', id)}:`
      return [...(await draft.entries(prefix)).keys()].map((at) => at.slice(prefix.length))
    },
    addChild: (id, child) => draft.set(`${key('in', id)}:${child}`, ''),
    dropChild: (id, child) => draft.set(`${key('in', id)}:${child}`, undefined),
    watch: (id, kind) => draft.set(key('watch', id), kind),
    unwatch: (id) => draft.set(key('watch', id), undefined),
    source: (id) => read(key('source', id), SourceNote),
    noteSource: (id, note) => write(key('source', id), note),
    dropSource: (id) => draft.set(key('source', id), undefined),
    partition: async (at) => readPartition(await listPartition(at)),
    async sweepPartition(at, since) {
      for (const [entry, text] of await listPartition(at)) {
        const { kind, id } = parseKey(entry)
        if (kind !== 'page' || (parseNote(text, PageNote)?.pass ?? since) >= since) continue
        for (const gone of [entry, key('watch', id)]) draft.set(gone, undefined)
      }
    },
    async clearPartition(at) {
      for (const entry of (await listPartition(at)).keys()) draft.set(entry, undefined)
    }
  }
}

function readPartition(entries: ReadonlyMap<string, string>): Partition {
  const found: Partition = { watched: new Map(), sources: new Map() }
  for (const [entry, text] of entries) {
    const { kind, id } = parseKey(entry)
    const source = kind === 'source' ? parseNote(text, SourceNote) : undefined
    if (source !== undefined) found.sources.set(id, source)
    if (kind === 'watch') found.watched.set(id, text === 'database' ? 'database' : 'page')
  }
  return found
}

function parseKey(entry: string): { kind: string; id: string } {
  const [, , kind = '', id = ''] = entry.split(':')
  return { kind, id }
}

/** By its last digit: the first ones of ids that were made one after the other are the same. */
function choosePartition(id: string): string {
  return id.slice(-1)
}

/** A note that is none of ours counts as absent: the page is then read again. */
function parseNote<S extends z.ZodType>(text: string | undefined, schema: S): z.output<S> | undefined {
  return text === undefined ? undefined : schema.safeParse(parseJson(ENCODER.encode(text))).data
}

const ENCODER = new TextEncoder()

/** A ledger with changes that are not written yet: they are, together with the page that they belong to. */
export type LedgerDraft = Ledger & {
  /** `undefined` takes a key out. */
  set(key: string, value: string | undefined): void
  changes(): (readonly [key: string, value: string | undefined])[]
}

/** A draft without changes. */
export function openDraft(ledger: Ledger): LedgerDraft {
  const changed = new Map<string, string | undefined>()
  return {
    get: async (key) => (changed.has(key) ? changed.get(key) : await ledger.get(key)),
    async entries(prefix) {
      const all = new Map(await ledger.entries(prefix))
      for (const [key, value] of changed) {
        if (!key.startsWith(prefix)) continue
        if (value === undefined) all.delete(key)
        else all.set(key, value)
      }
      return all
    },
    set: (key, value) => {
      changed.set(key, value)
    },
    changes: () => [...changed]
  }
}

/**
 * When the last pass over a table of the ledger began (ms), 0 where there was none. It stands in the ledger as the cursor may be lost, and the
 * clock may stand still or go back: what a pass noted that nothing is left of would look like something of the new one.
 */
export async function readLastPass(ledger: Ledger, kind: Cursor['kind']): Promise<number> {
  const at = Number((await ledger.get(toLastPassKey(kind))) ?? 0)
  return Number.isSafeInteger(at) ? at : 0
}

/** Notes that this is the last one. */
export function noteLastPass(draft: LedgerDraft, { kind, at }: Cursor): void {
  draft.set(toLastPassKey(kind), String(at))
}

function toLastPassKey(kind: Cursor['kind']): string {
  return `pass:${kind === 'list' ? 'l' : 'c'}`
}

/** How exact `last_edited_time` is: developers.notion.com/changelog (2022-05, times of edits are rounded to the minute). */
const MINUTE_MS = 60_000
/** How far our clock and the provider's may be apart. */
const SKEW_MS = 5 * MINUTE_MS

/**
 * Whether no edit can hide behind the time of the last one: the minute that it names was over when the text was asked for. Else an edit after
 * that and within the minute would look like the one before.
 */
export function isSettled({ edited, read }: Pick<PageNote, 'edited' | 'read'>): boolean {
  return read >= Date.parse(edited) + MINUTE_MS + SKEW_MS
}

/** Something that has to be asked for, kept in the ledger until its turn comes. */
export type Work = z.infer<typeof Work>

/** How often it failed for reasons that may pass. */
const tries = z.int().min(0).default(0)

const Work = z.discriminatedUnion('do', [
  /** Look at a page; `above` is the page that it was found in. */
  z.strictObject({ do: z.literal('page'), id: z.string(), above: z.string().optional(), tries }),
  /** Look whether what stood in something is still there. */
  z.strictObject({ do: z.literal('check'), id: z.string(), above: z.string(), tries }),
  z.strictObject({ do: z.literal('database'), id: z.string(), tries }),
  /** List rows: those edited since, or all. `created`: begin with those made then, as a query gives so many at most. */
  z.strictObject({
    do: z.literal('rows'),
    id: z.string(),
    since: z.number().optional(),
    created: z.string().optional(),
    from: z.string().optional(),
    pages: z.int().min(0).default(0),
    tries
  }),
  /** Look for rows in the trash. */
  z.strictObject({ do: z.literal('trash'), id: z.string(), from: z.string().optional(), tries })
])

/** A queue of work, first in, first out; its ends stand in the state of the pass. */
export type WorkQueue = {
  put(work: z.input<typeof Work>): void
  take(): Promise<Work | undefined>
  isEmpty(): boolean
}

/** The queue of a pass. */
export function openWorkQueue(draft: LedgerDraft, state: Cursor): WorkQueue {
  const key = (number: number) => `work:${state.kind === 'list' ? 'l' : 'c'}:${number}`
  return {
    put(work) {
      draft.set(key(state.tail), JSON.stringify(work))
      state.tail += 1
    },
    async take() {
      while (state.head < state.tail) {
        const at = key(state.head)
        const text = await draft.get(at)
        draft.set(at, undefined)
        state.head += 1
        const work = Work.safeParse(parseJson(new TextEncoder().encode(text ?? '')))
        if (work.success) return work.data
      }
      return undefined
    },
    isEmpty: () => state.head >= state.tail
  }
}
