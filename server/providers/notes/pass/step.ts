import type { Page as ItemPage, SeenItem, SyncCall } from '../../provider.ts'
import { type FailureKind, ProviderFailure } from '../../provider-failure.ts'
import { cursorText, type PassState } from '../cursor.ts'
import { noteLastPass } from './last-pass.ts'
import { type LedgerDraft, openDraft } from './ledger-draft.ts'
import { type Notebook, openNotebook } from './notebook.ts'
import { openWorkLine, type WorkLine } from './work.ts'

/** One page of a pass while it is put together. */
export type Step = {
  call: SyncCall
  /** Changed as the step goes on. */
  state: PassState
  notes: Notebook
  /** What changes have told, also where this is a listing. */
  known: Notebook
  line: WorkLine
  draft: LedgerDraft
  seen: Map<string, SeenItem>
  gone: Set<string>
  /** Characters of text in `seen`. */
  weight: number
  /** Something came of it: it must be kept even if the rest of the step fails. */
  achieved: boolean
  /** What failed, and was put back into the line or given up. */
  failure: ProviderFailure | undefined
}

/** An empty page from `state` on. */
export function openStep(call: SyncCall, state: PassState): Step {
  const draft = openDraft(call.ledger)
  const own = { ...state }
  const known = openNotebook(draft, 'c')
  return {
    call,
    state: own,
    notes: own.kind === 'list' ? openNotebook(draft, 'l') : known,
    known,
    line: openWorkLine(draft, own),
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
  return { seen: [...seen.values()], gone: [...gone], ledger: draft.changes(), cursor: cursorText(state), more }
}

/** Tells of an item: it is there, whatever was told of it before. */
export function see({ seen, gone }: Step, item: SeenItem): void {
  gone.delete(item.id)
  seen.set(item.id, item)
}

/** Tells that an item is gone. */
export function miss({ seen, gone }: Step, id: string): void {
  seen.delete(id)
  gone.add(id)
}

/** The failure of a provider; anything else is thrown on. */
export function failureIn(error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error
  throw error
}

/** After such a failure nothing else is worth asking either. */
export function stops({ kind, ofAccount }: ProviderFailure): boolean {
  return ofAccount || STOPPING.has(kind)
}

const STOPPING: ReadonlySet<FailureKind> = new Set([
  ...(['rate_limited', 'auth_expired', 'grant_dead', 'scope_missing', 'cursor_invalid'] as const)
])
