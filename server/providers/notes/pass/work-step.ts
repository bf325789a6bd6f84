import { ProviderFailure } from '../../provider-failure.ts'
import { lookAtDatabase, lookAtPage } from './look-again.ts'
import { listRows, listTrash } from './rows-work.ts'
import { failureIn, type Step, see, stops } from './step.ts'
import { visitPages } from './visit-pages.ts'
import type { Work } from './work.ts'

/** Pages that are looked at in one page of a pass. */
const PAGES_AT_ONCE = 16
/** How often something is asked for in a pass before it is left to the next one. */
const TRIES_MAX = 3

/** The next piece of work in the line: some pages, or one of the others. */
export async function workStep(step: Step): Promise<void> {
  const pages: PageWork[] = []
  while (pages.length < PAGES_AT_ONCE) {
    const work = await step.line.take()
    if (work === undefined) break
    if (work.do === 'page' || work.do === 'check') {
      pages.push(work)
      continue
    }
    if (pages.length > 0) step.line.put(work)
    else await tried(step, work, () => carryOut(step, work))
    break
  }
  if (pages.length > 0) await lookAtPages(step, pages)
}

type PageWork = Extract<Work, { do: 'page' | 'check' }>

/** One after the other to its end, so that something comes of it however few calls are allowed. */
async function lookAtPages(step: Step, works: readonly PageWork[]): Promise<void> {
  for (const work of works) {
    const found = await tried(step, work, () => lookAtPage(step, work))
    if (found !== undefined) await visitPages(step, [found])
  }
}

async function carryOut(step: Step, work: Exclude<Work, PageWork>): Promise<void> {
  if (work.do === 'database') await lookAtDatabase(step, work)
  else if (work.do === 'rows') await listRows(step, work)
  else await listTrash(step, work)
}

/** What fails is put back into the line, and after some tries left to a later pass. */
async function tried<T>(step: Step, work: Work, act: () => Promise<T>): Promise<T | undefined> {
  if (step.failure !== undefined && stops(step.failure)) {
    step.line.put(work)
    return undefined
  }
  const result = await act().catch(failureIn)
  if (!(result instanceof ProviderFailure)) return result
  step.failure = result
  const tries = work.tries + (stops(result) ? 0 : 1)
  if (tries < TRIES_MAX) step.line.put({ ...work, tries })
  else leave(step, work, result)
  return undefined
}

/** A page is named, so that it is read, and failing, by itself; data sources stay as not listed. */
function leave(step: Step, work: Work, failure: ProviderFailure): void {
  step.achieved = true
  step.call.log.info({ [work.do]: work.id, why: failure.message }, 'something could not be read and is left for later')
  if (work.do === 'database') step.notes.watch(work.id, 'database')
  if (work.do !== 'page' && work.do !== 'check') return
  step.notes.watch(work.id, 'page')
  see(step, { id: work.id })
}
