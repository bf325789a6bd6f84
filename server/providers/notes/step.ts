import { createHash } from 'node:crypto'
import type { Page as ItemPage, SeenItem, SyncCall } from '../port/provider.ts'
import { type FailureKind, ProviderFailure } from '../port/provider-failure.ts'
import { type Cursor, writeCursor } from './cursor.ts'
import {
  type LedgerDraft,
  noteLastPass,
  openDraft,
  openPageTable,
  openWorkQueue,
  type PageTable,
  type WorkQueue
} from './ledger.ts'
import { plainText } from './page-text.ts'
import { openTitles, type Titles } from './read-row.ts'
import type { DataSource } from './wire.ts'

/** A page of a pass under construction. */
export type Step = {
  call: SyncCall
  /** Returns the provider's time of its last reply (ms), or the time of our clock if it has not sent one. */
  providerNow(): number
  /** Updated during the step. */
  state: Cursor
  notes: PageTable
  /** The table of changes, also during a listing. */
  known: PageTable
  queue: WorkQueue
  titles: Titles
  draft: LedgerDraft
  seen: Map<string, SeenItem>
  gone: Set<string>
  /** Characters of text in `seen`. */
  weight: number
  /** The step has results that must be stored even if the rest of it fails. */
  achieved: boolean
  /** The last failure, whose task was queued again or given up. */
  failure: ProviderFailure | undefined
}

/** Opens an empty page that continues from `state`. */
export function openStep(givenCall: SyncCall, state: Cursor): Step {
  const { call, providerNow } = noteDates(givenCall)
  const draft = openDraft(call.ledger)
  const own = { ...state }
  const known = openPageTable(draft, 'c')
  return {
    call,
    providerNow,
    state: own,
    notes: own.kind === 'list' ? openPageTable(draft, 'l') : known,
    known,
    queue: openWorkQueue(draft, own),
    titles: openTitles(call),
    draft,
    seen: new Map(),
    gone: new Set(),
    weight: 0,
    achieved: false,
    failure: undefined
  }
}

/** Notes the `Date` of each reply (RFC 9110 section 6.6.1): our clock may be wrong by hours. */
function noteDates(call: SyncCall): Pick<Step, 'call' | 'providerNow'> {
  let latest: number | undefined
  const fetch: SyncCall['fetch'] = async (request) => {
    const response = await call.fetch(request)
    const date = Date.parse(response.headers.get('date') ?? '')
    if (!Number.isNaN(date)) latest = Math.max(latest ?? 0, date)
    return response
  }
  return { call: { ...call, fetch }, providerNow: () => latest ?? call.clock.now() }
}

/** Builds the page of a step. */
export function closeStep({ state, draft, seen, gone }: Step): ItemPage {
  const more = state.step !== 'done'
  noteLastPass(draft, state)
  return { seen: [...seen.values()], gone: [...gone], ledger: draft.changes(), cursor: writeCursor(state), more }
}

/** Reports an item as present. Replaces an earlier report. */
export function addSeen({ seen, gone }: Step, item: SeenItem): void {
  gone.delete(item.id)
  seen.set(item.id, item)
}

/** Reports an item as gone. */
function addGone({ seen, gone }: Step, id: string): void {
  seen.delete(id)
  gone.add(id)
}

/** Returns the failure of a provider, and rethrows any other error. */
export function asProviderFailure(error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error
  throw error
}

/** Reports whether a failure makes further calls useless. */
export function isStopping({ kind, ofAccount }: ProviderFailure): boolean {
  return ofAccount || STOPPING.has(kind)
}

const STOPPING: ReadonlySet<FailureKind> = new Set([
  ...(['rate_limited', 'auth_expired', 'grant_dead', 'scope_missing', 'cursor_invalid'] as const)
])

/** Notes a data source that this pass found. Its rows are listed at most once per pass. */
export async function noteSource({ notes, state, queue }: Step, id: string): Promise<void> {
  const note = await notes.source(id)
  if (note !== undefined && (state.kind === 'news' ? note.full : note.queued >= state.at)) return
  if (note !== undefined && note.queued >= state.at) return
  notes.noteSource(id, { ...note, full: false, queued: state.at })
  queue.put({ do: 'rows', id })
  if (note === undefined) for (const row of await notes.children(id)) await unwatchRow(notes, row)
}

/**
 * Notes the title and the columns of a data source. Returns whether its rows were read with others: a change of them
 * does not change the times of the rows.
 */
export async function noteShape({ notes, state }: Step, { id, title, properties }: DataSource): Promise<boolean> {
  const note = await notes.source(id)
  const shown = JSON.stringify([plainText(title), Object.keys(properties ?? {}).sort()])
  const shape = createHash('sha256').update(shown).digest('hex').slice(0, 16)
  if (note === undefined || note.shape === shape) return false
  const isOther = note.shape !== undefined
  notes.noteSource(id, { ...note, shape, ...(isOther && { shaped: state.at }) })
  return isOther
}

/** Stops checking a row that was found before its data source, whose listings now report it. */
async function unwatchRow(notes: PageTable, id: string): Promise<void> {
  const note = await notes.page(id)
  if (note?.listed && note.read > 0) notes.unwatch(id)
}

/** Removes a page. Its children are checked, since they may have been moved. */
export async function removePage(step: Step, id: string): Promise<void> {
  const { notes, queue } = step
  addGone(step, id)
  notes.dropPage(id)
  notes.unwatch(id)
  for (const child of await notes.children(id)) {
    notes.dropChild(id, child)
    queue.put({ do: 'check', id: child, above: id })
  }
}

/** Removes a database and its data sources. */
export async function removeDatabase(step: Step, id: string): Promise<void> {
  step.notes.unwatch(id)
  for (const source of await step.notes.children(id)) {
    step.notes.dropChild(id, source)
    await removeSource(step, source)
  }
}

/** Removes a data source. Its rows are checked, since they may have been moved. */
export async function removeSource({ notes, queue }: Step, id: string): Promise<void> {
  notes.dropSource(id)
  for (const row of await notes.children(id)) {
    notes.dropChild(id, row)
    queue.put({ do: 'check', id: row, above: id })
  }
}
