import { miss, type Step } from './step.ts'

/** A page is gone. What stood in it has to show whether it is, too: it may have been moved away. */
export async function leavePage(step: Step, id: string): Promise<void> {
  const { notes, line } = step
  miss(step, id)
  notes.dropPage(id)
  notes.unwatch(id)
  for (const child of await notes.children(id)) {
    notes.dropChild(id, child)
    line.put({ do: 'check', id: child, above: id })
  }
}

/** A database is gone, and its data sources with it. */
export async function leaveDatabase(step: Step, id: string): Promise<void> {
  step.notes.unwatch(id)
  for (const source of await step.notes.children(id)) {
    step.notes.dropChild(id, source)
    await leaveSource(step, source)
  }
}

/** A data source is gone. Likewise. */
export async function leaveSource({ notes, line }: Step, id: string): Promise<void> {
  notes.dropSource(id)
  for (const row of await notes.children(id)) {
    notes.dropChild(id, row)
    line.put({ do: 'check', id: row, above: id })
  }
}
