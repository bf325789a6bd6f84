import * as z from 'zod'
import { jsonOf } from '../../http/described-value.ts'
import type { PassState } from '../cursor.ts'
import type { LedgerDraft } from './ledger-draft.ts'

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

/** A line of work, first in, first out; its ends stand in the state of the pass. */
export type WorkLine = {
  put(work: z.input<typeof Work>): void
  take(): Promise<Work | undefined>
  isEmpty(): boolean
}

/** The line of a pass. */
export function openWorkLine(draft: LedgerDraft, state: PassState): WorkLine {
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
        const work = Work.safeParse(jsonOf(new TextEncoder().encode(text ?? '')))
        if (work.success) return work.data
      }
      return undefined
    },
    isEmpty: () => state.head >= state.tail
  }
}
