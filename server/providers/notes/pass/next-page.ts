import type { Page, SyncCall } from '../../provider.ts'
import type { PassState } from '../cursor.ts'
import { bucketStep } from './bucket-step.ts'
import { searchStep } from './search-step.ts'
import { closeStep, failureIn, openStep, type Step, stops } from './step.ts'
import { workStep } from './work-step.ts'

/** Pages in a row that may come to nothing, as one page that always fails must not hold up the rest. */
const IDLE_MAX = 2
/** Calls after which a page is closed: what it told is then safe. */
const CALLS_MAX = 50

/** The next page of a pass. @throws ProviderFailure where nothing came of it. */
export async function nextPage(call: SyncCall, state: PassState): Promise<Page> {
  const counted = countCalls(call)
  const step = openStep(counted.call, state)
  do await advance(step)
  while (step.failure === undefined && step.state.step !== 'done' && counted.calls() < CALLS_MAX)
  const { failure, achieved } = step
  if (failure !== undefined && !achieved && (stops(failure) || state.idle >= IDLE_MAX)) throw failure
  step.state.idle = achieved ? 0 : state.idle + 1
  return closeStep(step)
}

async function advance(step: Step): Promise<void> {
  if (step.state.step !== 'search') return await (step.line.isEmpty() ? bucketStep(step) : workStep(step))
  try {
    await searchStep(step)
  } catch (error) {
    const failure = failureIn(error)
    if (!step.achieved) throw failure
    step.failure = failure
  }
}

function countCalls(call: SyncCall): { call: SyncCall; calls(): number } {
  let count = 0
  const fetch: SyncCall['fetch'] = (request) => {
    count += 1
    return call.fetch(request)
  }
  return { call: { ...call, fetch }, calls: () => count }
}
