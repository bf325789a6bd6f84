import { ProviderFailure } from '../../provider-failure.ts'
import { PAGE_SIZE_MAX } from '../ask-notion.ts'
import { queryRows } from '../requests.ts'
import type { Page } from '../wire.ts'
import { leavePage, leaveSource } from './leave.ts'
import type { Step } from './step.ts'
import { visitPages } from './visit-pages.ts'
import type { Work } from './work.ts'

type RowsWork = Extract<Work, { do: 'rows' }>
type TrashWork = Extract<Work, { do: 'trash' }>

/** Pages of one listing of rows; more would be a circle. */
const PAGES_MAX = 10_000
/** Of rows that are read at once; of those edited lately most are known. */
const READ_SIZE = 50

/** A data source that this pass came by: its rows are listed once a pass at most. */
export async function noteSourceFound({ notes, state, line }: Step, id: string): Promise<void> {
  const note = await notes.source(id)
  if (note !== undefined && (state.kind === 'news' ? note.full : note.queued >= state.at)) return
  if (note !== undefined && note.queued >= state.at) return
  notes.noteSource(id, { full: false, queued: state.at })
  line.put({ do: 'rows', id })
}

/** The next page of rows. @throws ProviderFailure */
export async function listRows(step: Step, work: RowsWork): Promise<void> {
  const { from, since, created, id } = work
  const pageSize = since === undefined ? READ_SIZE : PAGE_SIZE_MAX
  const reply = await asked(step, work, () =>
    queryRows(step.call, id, { from, pageSize, editedSince: since, createdSince: created })
  )
  if (reply === undefined) return
  const pages = pagesOf(reply.results)
  await visitPages(
    step,
    pages.map((page) => ({ page, listed: true }))
  )
  if (work.pages >= PAGES_MAX) throw new ProviderFailure('contract_broken', 'the rows of the data source have no end')
  if (reply.next !== undefined) step.line.put({ ...work, from: reply.next, pages: work.pages + 1, tries: 0 })
  else if (reply.request_status?.type === 'incomplete') goOnByTime(step, work, pages.at(-1))
  else await listed(step, work)
}

/** A query tells of ten thousand rows: the others are asked for by when they were made. */
function goOnByTime(step: Step, { do: kind, id, since, created, pages }: RowsWork, last: Page | undefined): void {
  if (last === undefined || last.created_time === created) {
    step.call.log.info({ source: id }, 'more rows were made within a minute than a query tells of')
    return
  }
  const work = { do: kind, id, created: last.created_time, pages: pages + 1 }
  step.line.put(since === undefined ? work : { ...work, since })
}

async function listed({ notes }: Step, { id, since }: RowsWork): Promise<void> {
  const note = await notes.source(id)
  if (since === undefined && note !== undefined) notes.noteSource(id, { ...note, full: true })
}

/** Rows in the trash, those thrown away last first, as far as they were known to be there. @throws ProviderFailure */
export async function listTrash(step: Step, work: TrashWork): Promise<void> {
  const asking = { from: work.from, pageSize: PAGE_SIZE_MAX, trashed: true }
  const reply = await asked(step, work, () => queryRows(step.call, work.id, asking))
  if (reply === undefined) return
  let known = 0
  for (const { id } of pagesOf(reply.results)) {
    if ((await step.notes.page(id)) === undefined) continue
    known += 1
    await leavePage(step, id)
  }
  if (reply.next !== undefined && known > 0) step.line.put({ do: 'trash', id: work.id, from: reply.next })
}

type Reply = Awaited<ReturnType<typeof queryRows>>

/** Undefined where the listing has come to nothing and what follows was done. @throws ProviderFailure */
async function asked(step: Step, work: RowsWork | TrashWork, ask: () => Promise<Reply>): Promise<Reply | undefined> {
  try {
    const reply = await ask()
    step.achieved = true
    return reply
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    if (error.kind === 'item_gone') await leaveSource(step, work.id)
    else if (error.kind === 'cursor_invalid' && work.from !== undefined) {
      const { from: _, ...first } = work
      step.line.put({ ...first, tries: work.tries + 1 })
    } else throw error
    step.achieved = true
    return undefined
  }
}

function pagesOf(results: Reply['results']): Page[] {
  return results.filter((result): result is Page => result.object === 'page')
}
