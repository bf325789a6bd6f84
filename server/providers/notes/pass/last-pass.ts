import type { Ledger } from '../../provider.ts'
import type { PassState } from '../cursor.ts'
import type { LedgerDraft } from './ledger-draft.ts'

/**
 * When the last pass over a shelf of the ledger began (ms), 0 where there was none. It stands in the ledger as the cursor may be lost, and the
 * clock may stand still or go back: what a pass noted that nothing is left of would look like something of the new one.
 */
export async function lastPass(ledger: Ledger, kind: PassState['kind']): Promise<number> {
  const at = Number((await ledger.get(keyOf(kind))) ?? 0)
  return Number.isSafeInteger(at) ? at : 0
}

/** Notes that this is the last one. */
export function noteLastPass(draft: LedgerDraft, { kind, at }: PassState): void {
  draft.set(keyOf(kind), String(at))
}

function keyOf(kind: PassState['kind']): string {
  return `pass:${kind === 'list' ? 'l' : 'c'}`
}
