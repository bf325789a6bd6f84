import { ProviderFailure } from '../../provider-failure.ts'
import { PAGE_SIZE_MAX } from '../ask-notion.ts'
import { search } from '../requests.ts'
import { isTrashed } from '../wire.ts'
import { leaveSource } from './leave.ts'
import { noteSourceFound } from './rows-work.ts'
import { failureIn, type Step } from './step.ts'
import { type Found, visitPages } from './visit-pages.ts'

/** How long search may lag behind edits: it says nothing about that, so all of a day is looked at again. */
export const OVERLAP_MS = 24 * 3_600_000
/** Pages of search that are looked through below the line: what was shared only now may have been edited long ago. */
const BELOW_MAX = 10
/** How often all of it is looked through, however much there is. */
const SEARCH_ALL_MS = 24 * 3_600_000
/** Pages of search in one pass; more would be a circle. */
const PAGES_MAX = 10_000
const RESTARTS_MAX = 3
/** Of pages that are read at once; in a pass for news nearly all of them are known. */
const READ_SIZE = 50

/** The next page of search. @throws ProviderFailure */
export async function searchStep(step: Step): Promise<void> {
  const { call, state } = step
  const reply = await search(call, state.from, state.kind === 'news' ? PAGE_SIZE_MAX : READ_SIZE).catch(failureIn)
  if (reply instanceof ProviderFailure) return beginAgain(step, reply)
  step.achieved = true
  const found: Found[] = []
  let below = state.kind === 'news' && reply.results.length > 0
  for (const result of reply.results) {
    if (isPage(result)) {
      found.push({ page: result, listed: true })
      if (Date.parse(result.last_edited_time) >= state.since - OVERLAP_MS) below = false
    } else if (isSource(result)) {
      if (!isTrashed(result)) await noteSourceFound(step, result.id)
      else if ((await step.notes.source(result.id)) !== undefined) await leaveSource(step, result.id)
    }
  }
  await visitPages(step, found)
  goOn(step, reply.next, below)
}

type Result = Awaited<ReturnType<typeof search>>['results'][number]
type PageResult = Extract<Result, { object: 'page' }>
type SourceResult = Extract<Result, { object: 'data_source' }>

function isPage(result: Result): result is PageResult {
  return result.object === 'page'
}

function isSource(result: Result): result is SourceResult {
  return result.object === 'data_source'
}

function goOn({ state }: Step, next: string | undefined, below: boolean): void {
  state.searched += 1
  if (below) state.below += 1
  if (state.searched > PAGES_MAX) throw new ProviderFailure('contract_broken', 'the search has no end')
  const enough = state.below > BELOW_MAX && state.at - state.searchedAll < SEARCH_ALL_MS
  if (next !== undefined && !enough) {
    state.from = next
    return
  }
  if (next === undefined) state.searchedAll = state.at
  delete state.from
  state.step = state.kind === 'all' ? 'sweep' : 'sources'
}

/** Pages that were seen already do no harm. */
function beginAgain({ state }: Step, failure: ProviderFailure): void {
  if (failure.kind !== 'cursor_invalid' || state.restarts >= RESTARTS_MAX) throw failure
  state.restarts += 1
  state.below = 0
  delete state.from
}
