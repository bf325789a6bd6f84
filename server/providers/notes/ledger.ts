import * as z from 'zod'
import { parseJson } from '../http/parse-value.ts'
import type { Ledger } from '../port/provider.ts'
import type { Cursor } from './cursor.ts'

/**
 * What is known about the account's pages, as keys of the ledger. All keys of one id are in one partition, so that the
 * whole table can be read without being in memory at once. There are two independent tables: `c` for changes and `l`
 * for a listing.
 */
export type PageTable = {
  page(id: string): Promise<PageNote | undefined>
  notePage(id: string, note: PageNote): void
  dropPage(id: string): void
  /** Pages and databases in a page, data sources of a database, or rows of a data source. */
  children(id: string): Promise<string[]>
  addChild(id: string, child: string): void
  dropChild(id: string, child: string): void
  /** Adds a page or database that is checked in every pass, because no other source reports it. */
  watch(id: string, kind: Watched): void
  unwatch(id: string): void
  source(id: string): Promise<SourceNote | undefined>
  noteSource(id: string, note: SourceNote): void
  dropSource(id: string): void
  /** Reads the watched items and the data sources of a partition. */
  partition(at: number): Promise<Partition>
  /** Removes what a complete pass that began at `since` did not see. */
  sweepPartition(at: number, since: number): Promise<void>
  /** Removes everything in a partition. */
  clearPartition(at: number): Promise<void>
}

type TableId = 'c' | 'l'

type Watched = 'page' | 'database'

type Partition = { watched: Map<string, Watched>; sources: Map<string, SourceNote> }

/**
 * `edited` is the provider's time of the last edit. `read` is when its text was requested (ms, by the provider's clock
 * as far as it is known), and `pass` is when the pass that read it began (our clock). Both are 0 if reading failed.
 */
export type PageNote = z.infer<typeof PageNote>

/**
 * `full`: all its rows were listed. `queued`: when a listing was last queued (ms). `shape`: a hash of its title and the
 * names of its columns. `shaped`: when the pass began that found another shape (ms); rows that were read before it are
 * read again.
 */
type SourceNote = z.infer<typeof SourceNote>

const PageNote = z.strictObject({
  edited: z.string(),
  read: z.number(),
  pass: z.number(),
  version: z.string().optional(),
  place: z.string().optional(),
  /** The page that contains it. */
  above: z.string().optional(),
  /** Search or a query has returned it. */
  listed: z.boolean()
})

const SourceNote = z.strictObject({
  full: z.boolean(),
  queued: z.number(),
  shape: z.string().optional(),
  shaped: z.number().optional()
})

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

/** Chooses a partition by the last digit. The first digits are equal for ids that were created one after another. */
function choosePartition(id: string): string {
  return id.slice(-1)
}

/** Parses a note. An invalid one counts as absent, so the page is read again. */
function parseNote<S extends z.ZodType>(text: string | undefined, schema: S): z.output<S> | undefined {
  return text === undefined ? undefined : schema.safeParse(parseJson(ENCODER.encode(text))).data
}

const ENCODER = new TextEncoder()

/** A ledger with pending changes, which are written together with their page. */
export type LedgerDraft = Ledger & {
  /** Sets a key; `undefined` removes it. */
  set(key: string, value: string | undefined): void
  changes(): (readonly [key: string, value: string | undefined])[]
}

/** Creates a draft without changes. */
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
 * Returns when the last pass over a table began (ms), or 0 if there was none. It is stored in the ledger because the
 * cursor may be lost, and the clock may stop or go back. Notes of a lost pass must not look like notes of the new one.
 */
export async function readLastPass(ledger: Ledger, kind: Cursor['kind']): Promise<number> {
  const at = Number((await ledger.get(toLastPassKey(kind))) ?? 0)
  return Number.isSafeInteger(at) ? at : 0
}

/** Stores this pass as the last one. */
export function noteLastPass(draft: LedgerDraft, { kind, at }: Cursor): void {
  draft.set(toLastPassKey(kind), String(at))
}

function toLastPassKey(kind: Cursor['kind']): string {
  return `pass:${kind === 'list' ? 'l' : 'c'}`
}

/**
 * The precision of `last_edited_time`: developers.notion.com/changelog (2022-05, times of edits are rounded to the
 * minute).
 */
const MINUTE_MS = 60_000
/** Maximum difference between the clocks of the provider's machines, or ours and theirs if they send no `Date`. */
const SKEW_MS = 5 * MINUTE_MS

/**
 * Reports whether no later edit can have the same time: the minute of the last edit was over when the text was
 * requested. Otherwise a second edit within that minute would be missed.
 */
export function isSettled({ edited, read }: Pick<PageNote, 'edited' | 'read'>): boolean {
  return read >= Date.parse(edited) + MINUTE_MS + SKEW_MS
}

/** A task that is stored in the ledger until its turn. */
export type Work = z.infer<typeof Work>

/** Number of temporary failures. */
const tries = z.int().min(0).default(0)

const Work = z.discriminatedUnion('do', [
  /** Check a page. `above` is the page that contains it. */
  z.strictObject({ do: z.literal('page'), id: z.string(), above: z.string().optional(), tries }),
  /** Check whether a former child still exists. */
  z.strictObject({ do: z.literal('check'), id: z.string(), above: z.string(), tries }),
  z.strictObject({ do: z.literal('database'), id: z.string(), tries }),
  /**
   * List rows: those edited since a time, or all. `created` continues a listing by creation time, because a query
   * returns a limited number of rows.
   */
  z.strictObject({
    do: z.literal('rows'),
    id: z.string(),
    since: z.number().optional(),
    created: z.string().optional(),
    from: z.string().optional(),
    pages: z.int().min(0).default(0),
    tries
  }),
  /** List rows in the trash. */
  z.strictObject({ do: z.literal('trash'), id: z.string(), from: z.string().optional(), tries })
])

/** A first-in, first-out queue of work. Its ends are in the state of the pass. */
export type WorkQueue = {
  put(work: z.input<typeof Work>): void
  take(): Promise<Work | undefined>
  isEmpty(): boolean
}

/** Opens the queue of a pass. */
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
