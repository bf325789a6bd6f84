import { ProviderFailure } from '../providers/provider-failure.ts'
import { beginReads, readAlone } from './begin-reads.ts'
import type { Found } from './find-item.ts'
import { inOrder } from './in-order.ts'
import type { Run } from './run.ts'
import { type Part, writePart } from './write-part.ts'

/** Items that are read at the same time. */
const READS_AT_ONCE = 4
/** What is written at once: more of it waits in memory, and holds up others. */
const PART = { ITEMS_MAX: 500, MEMORIES_MAX: 2000, WEIGHT_MAX: 4 * 1024 * 1024 }

/** `first` and `last`: what is written with the first part, and with the last one. */
type InParts<In> = {
  pass: number
  inputs: readonly In[]
  /** The item that finding out may read, in the version that is known. */
  readOf(input: In): { id: string; version?: string | undefined } | undefined
  find(input: In): Promise<Found>
  first?: Pick<Part, 'gone' | 'emptied' | 'covered'>
  last?: Pick<Part, 'ledger' | 'progress'>
}

/**
 * Finds out what becomes of items, and writes it, in parts where it is much.
 *
 * @throws ProviderFailure where it is about more than an item; what was found until then is written, and `last` is not.
 */
export async function writeInParts<In>(run: Run, parts: InParts<In>): Promise<void> {
  const { pass, find, last } = parts
  const { suspects, others } = await beginReads(run, parts)
  let part = { ...newPart(pass), ...parts.first }
  for (const [input, item] of suspects) {
    const waiting = part
    await run.parts.suspectTurns(() =>
      readAlone(run, item, async () => {
        await writePart(run, { ...waiting, found: [await find(input)] })
      })
    )
    part = newPart(pass)
  }
  const fills = createFilling()
  try {
    for await (const found of inOrder(others, READS_AT_ONCE, find)) {
      part.found.push(found)
      if (!fills(found)) continue
      await writePart(run, part)
      part = newPart(pass)
    }
  } catch (error) {
    if (error instanceof ProviderFailure && part.found.length > 0) await writePart(run, part)
    throw error
  }
  await writePart(run, { ...part, ...last })
}

function newPart(pass: number): Part & { found: Found[] } {
  return { pass, found: [], gone: [], emptied: [], covered: [], ledger: [], progress: undefined }
}

/** Whether a part is full with one more; the next begins empty then. */
function createFilling(): (found: Found) => boolean {
  let [items, weight, memories] = [0, 0, 0]
  return (found) => {
    items += 1
    weight += found.weight
    memories += found.state.kind === 'content' ? found.state.drafts.length : 0
    const isFull = items >= PART.ITEMS_MAX || weight >= PART.WEIGHT_MAX || memories >= PART.MEMORIES_MAX
    if (isFull) [items, weight, memories] = [0, 0, 0]
    return isFull
  }
}
