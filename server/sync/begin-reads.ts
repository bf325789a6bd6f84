import type { ReadsBegun, ReadsToBegin } from '../storage/port/sync-storage.ts'
import type { Run } from './run.ts'

type Item = { id: string; version?: string | undefined }

/** Inputs whose item may have ended the server, each with the item, and all others. */
type Split<In> = { suspects: [In, Item][]; others: In[] }

/**
 * Notes all reads of a run in the storage before the first of them begins. What an earlier run of a server that was ended was reading is
 * suspect, and is read alone; what ended it twice is not read any more.
 *
 * @throws HoldLost
 */
export async function beginReads<In>(
  run: Run,
  { inputs, readOf }: { inputs: readonly In[]; readOf(input: In): Item | undefined }
): Promise<Split<In>> {
  const items = inputs.flatMap((input) => readOf(input) ?? [])
  const { suspects, setAside } = await begun(run, items, { alone: false })
  for (const { id } of items) run.setAside.delete(id)
  for (const id of setAside) run.setAside.add(id)
  const ids = new Set(suspects)
  const split: Split<In> = { suspects: [], others: [] }
  for (const input of inputs) {
    const item = readOf(input)
    if (item !== undefined && ids.has(item.id)) split.suspects.push([input, item])
    else split.others.push(input)
  }
  return split
}

/**
 * Has a suspect item read and written while no other one is read by this server, so that it is known what ends the server then.
 *
 * @throws HoldLost; what the work throws.
 */
export async function readAlone(run: Run, item: Item, work: () => Promise<void>): Promise<void> {
  run.held.signal.throwIfAborted()
  await begun(run, [item], { alone: true })
  await work()
}

type Begun = Exclude<ReadsBegun, { outcome: 'lost' }>

async function begun(
  { parts, held }: Run,
  items: readonly Item[],
  { alone }: Pick<ReadsToBegin, 'alone'>
): Promise<Begun> {
  if (items.length === 0) return { outcome: 'begun', suspects: [], setAside: [] }
  const reads = { items: items.map(({ id, version }) => ({ id, version })), alone }
  const answer = await parts.storage.beginReads(held.hold, reads)
  if (answer.outcome === 'lost') throw held.lose()
  return answer
}
