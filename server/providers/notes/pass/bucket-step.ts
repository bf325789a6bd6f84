import { BUCKETS } from './notebook.ts'
import { OVERLAP_MS } from './search-step.ts'
import type { Step } from './step.ts'

/** Goes on through the ledger, a bucket at a time, until there is work to do or the pass is over. */
export async function bucketStep(step: Step): Promise<void> {
  const { state, line } = step
  while (state.step !== 'done' && line.isEmpty()) {
    if (state.bucket < BUCKETS) {
      await handle(step, state.bucket)
      state.bucket += 1
    } else {
      state.step =
        state.step === 'sources' ? 'watched' : state.step === 'watched' && state.kind === 'list' ? 'sweep' : 'done'
      state.bucket = 0
    }
  }
  step.achieved = true
}

async function handle(step: Step, bucket: number): Promise<void> {
  const { state, notes, known } = step
  if (state.step === 'sweep') {
    if (state.kind === 'list') await notes.clearBucket(bucket)
    else await notes.sweepBucket(bucket, state.at)
    return
  }
  const { sources, watched } = await known.bucket(bucket)
  if (state.step === 'sources') for (const [id, { full }] of sources) await askRows(step, id, full)
  else for (const [id, kind] of watched) step.line.put({ do: kind, id })
}

/** Rows that were edited and those thrown away; all where they were not listed yet, or for a comparison. */
async function askRows({ state, notes, line }: Step, id: string, full: boolean): Promise<void> {
  if (state.kind === 'news' && full) {
    line.put({ do: 'rows', id, since: Math.max(0, state.since - OVERLAP_MS) })
    line.put({ do: 'trash', id })
    return
  }
  const note = await notes.source(id)
  if (note !== undefined && note.queued >= state.at) return
  notes.noteSource(id, { full: false, queued: state.at })
  line.put({ do: 'rows', id })
}
