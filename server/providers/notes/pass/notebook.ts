import * as z from 'zod'
import { jsonOf } from '../../http/described-value.ts'
import type { LedgerDraft } from './ledger-draft.ts'

/**
 * What is known of the account's pages, as keys of the ledger. All about one id is in its bucket, so that everything can be gone through
 * without being held in memory at once. The two shelves know nothing of each other: `c` is what changes have told, `l` what a listing
 * has come by.
 */
export type Notebook = {
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
  /** Of a bucket: what is watched, and the data sources. */
  bucket(at: number): Promise<Bucket>
  /** Drops what a whole pass that began at `since` did not come by. */
  sweepBucket(at: number, since: number): Promise<void>
  /** Drops everything of a bucket. */
  clearBucket(at: number): Promise<void>
}

export type Shelf = 'c' | 'l'

export type Watched = 'page' | 'database'

export type Bucket = { watched: Map<string, Watched>; sources: Map<string, SourceNote> }

/**
 * `edited` as the provider says it; `read` when its text was asked for, in milliseconds of our clock, and `pass` when the pass began that did so:
 * both 0 where that failed.
 */
export type PageNote = z.infer<typeof PageNote>

/** `full`: all its rows were listed. `queued`: when that was last asked for (ms). */
export type SourceNote = z.infer<typeof SourceNote>

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

export const BUCKETS = 16

/** The notes of one shelf. */
export function openNotebook(draft: LedgerDraft, shelf: Shelf): Notebook {
  const key = (kind: string, id: string) => `${bucketOf(id)}:${shelf}:${kind}:${id}`
  const read = async <S extends z.ZodType>(at: string, schema: S) => noteOf(await draft.get(at), schema)
  const write = (at: string, note: unknown) => draft.set(at, JSON.stringify(note))
  const inBucket = (at: number) => draft.entries(`${at.toString(16)}:${shelf}:`)
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
    bucket: async (at) => bucketIn(await inBucket(at)),
    async sweepBucket(at, since) {
      for (const [entry, text] of await inBucket(at)) {
        const { kind, id } = partsOf(entry)
        if (kind !== 'page' || (noteOf(text, PageNote)?.pass ?? since) >= since) continue
        for (const gone of [entry, key('watch', id)]) draft.set(gone, undefined)
      }
    },
    async clearBucket(at) {
      for (const entry of (await inBucket(at)).keys()) draft.set(entry, undefined)
    }
  }
}

function bucketIn(entries: ReadonlyMap<string, string>): Bucket {
  const found: Bucket = { watched: new Map(), sources: new Map() }
  for (const [entry, text] of entries) {
    const { kind, id } = partsOf(entry)
    const source = kind === 'source' ? noteOf(text, SourceNote) : undefined
    if (source !== undefined) found.sources.set(id, source)
    if (kind === 'watch') found.watched.set(id, text === 'database' ? 'database' : 'page')
  }
  return found
}

function partsOf(entry: string): { kind: string; id: string } {
  const [, , kind = '', id = ''] = entry.split(':')
  return { kind, id }
}

/** By its last digit: the first ones of ids that were made one after the other are the same. */
function bucketOf(id: string): string {
  return id.slice(-1)
}

/** A note that is none of ours counts as absent: the page is then read again. */
function noteOf<S extends z.ZodType>(text: string | undefined, schema: S): z.output<S> | undefined {
  return text === undefined ? undefined : schema.safeParse(jsonOf(ENCODER.encode(text))).data
}

const ENCODER = new TextEncoder()
