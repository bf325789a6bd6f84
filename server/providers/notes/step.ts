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

/** One page of a pass while it is put together. */
export type Step = {
  call: SyncCall
  /** Changed as the step goes on. */
  state: Cursor
  notes: PageTable
  /** What changes have told, also where this is a listing. */
  known: PageTable
  queue: WorkQueue
  draft: LedgerDraft
  seen: Map<string, SeenItem>
  gone: Set<string>
  /** Characters of text in `seen`. */
  weight: number
  /** Something came of it: it must be kept even if the rest of the step fails. */
  achieved: boolean
  /** What failed, and was put back into the queue or given up. */
  failure: ProviderFailure | undefined
}

/** An empty page from `state` on. */
export function openStep(call: SyncCall, state: Cursor): Step {
  const draft = openDraft(call.ledger)
  const own = { ...state }
  const known = openPageTable(draft, 'c')
  return {
    call,
    state: own,
    notes: own.kind === 'list' ? openPageTable(draft, 'l') : known,
    known,
    queue: openWorkQueue(draft, own),
    draft,
    seen: new Map(),
    gone: new Set(),
    weight: 0,
    achieved: false,
    failure: undefined
  }
}

/** What the step made. */
export function closeStep({ state, draft, seen, gone }: Step): ItemPage {
  const more = state.step !== 'done'
  noteLastPass(draft, state)
  return { seen: [...seen.values()], gone: [...gone], ledger: draft.changes(), cursor: writeCursor(state), more }
}

/** Tells of an item: it is there, whatever was told of it before. */
export function addSeen({ seen, gone }: Step, item: SeenItem): void {
  gone.delete(item.id)
  seen.set(item.id, item)
}

/** Tells that an item is gone. */
function addGone({ seen, gone }: Step, id: string): void {
  seen.delete(id)
  gone.add(id)
}

/** The failure of a provider; anything else is thrown on. */
export function asProviderFailure(error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error
  throw error
}

/** After such a failure nothing else is worth asking either. */
export function isStopping({ kind, ofAccount }: ProviderFailure): boolean {
  return ofAccount || STOPPING.has(kind)
}

const STOPPING: ReadonlySet<FailureKind> = new Set([
  ...(['rate_limited', 'auth_expired', 'grant_dead', 'scope_missing', 'cursor_invalid'] as const)
])

/** A data source that this pass came by: its rows are listed once a pass at most. */
export async function noteSource({ notes, state, queue }: Step, id: string): Promise<void> {
  const note = await notes.source(id)
  if (note !== undefined && (state.kind === 'news' ? note.full : note.queued >= state.at)) return
  if (note !== undefined && note.queued >= state.at) return
  notes.noteSource(id, { full: false, queued: state.at })
  queue.put({ do: 'rows', id })
}

/** A page is gone. What stood in it has to show whether it is, too: it may have been moved away. */
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

/** A database is gone, and its data sources with it. */
export async function removeDatabase(step: Step, id: string): Promise<void> {
  step.notes.unwatch(id)
  for (const source of await step.notes.children(id)) {
    step.notes.dropChild(id, source)
    await removeSource(step, source)
  }
}

/** A data source is gone. Likewise. */
export async function removeSource({ notes, queue }: Step, id: string): Promise<void> {
  notes.dropSource(id)
  for (const row of await notes.children(id)) {
    notes.dropChild(id, row)
    queue.put({ do: 'check', id: row, above: id })
  }
}
