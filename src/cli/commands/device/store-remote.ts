import { Fault } from '../../../contract/faults.ts'
import type { MemoryRecord, Metadata } from '../../../contract/snapshot.ts'
import type { Device, StoreInput } from '../../../device/types.ts'
import type { Context } from '../../context.ts'
import { type SentObject, type SentRecord, uniteWith, withSnapshotObject } from '../../transfer/snapshot-object.ts'
import { storeIntoSnapshot } from './open-snapshot.ts'
import type { SingleStore } from './store.ts'
import { answerStored, understand } from './store-one.ts'

/**
 * Has the server put a text into the snapshot, which is sent along, and unites the file with what comes back: lines that
 * others stored meanwhile stay.
 */
export async function storeRemote(context: Context, options: SingleStore): Promise<void> {
  const input = await understand(context, options)
  const client = await context.client()
  await storeIntoSnapshot(context, {
    test: async (device) => void (await device.preview(input)),
    work: (device) =>
      withSnapshotObject(context, device.path, async (snapshot) => {
        const metadata = metadataOf(input)
        const body = { snapshot, raw_text: input.text, ...(metadata === undefined ? {} : { metadata }) }
        const reply = await client.storeMemory({ body }, { signal: context.world.terminal.interrupted })
        if (!('snapshot' in reply)) throw strange('no snapshot came back')
        await keep(context, device, { sent: snapshot, came: reply.snapshot as SentObject, text: input.text })
      })
  })
}

/** The wire has these as members of the metadata. */
function metadataOf({ metadata, at, speaker, conversation, position }: StoreInput): Metadata | undefined {
  const said = Object.entries({ at, speaker, conversation, position }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const]
  )
  return metadata === undefined && said.length === 0 ? undefined : { ...metadata, ...Object.fromEntries(said) }
}

type Exchange = { sent: SentObject; came: SentObject; text: string }

async function keep(context: Context, device: Device, exchange: Exchange): Promise<void> {
  const { record, isNew } = storedIn(exchange)
  if (isNew) await uniteWith(context, device.path, exchange.came)
  const { at, id } = record
  await answerStored(context.answer, { id, at, record, notes: [] })
  if (!isNew) await context.talk.note('it was there already')
}

/** The memory that was stored. A reply with anything else that was not sent, be it a forget line, is not let into the file. */
function storedIn({ sent, came, text }: Exchange): { record: MemoryRecord; isNew: boolean } {
  const before = new Set(sent.records.map(keyOf))
  const added = came.records.filter((record) => !before.has(keyOf(record)))
  const found = added[0] ?? came.records.findLast((record) => record.type === 'memory' && record.text === text)
  if (found === undefined || added.length > 1 || found.type !== 'memory' || found.text !== text)
    throw strange('what came back is not the snapshot with this one memory in it')
  return { record: found as MemoryRecord, isNew: added.length === 1 }
}

/** Of a record whose content may be in another line than it was: its kind and id. */
function keyOf({ type, id, check }: SentRecord): string {
  return `${type} ${String(id ?? check)}`
}

function strange(why: string): Fault {
  return new Fault('broken_transfer', `${why}; the file is as it was`, {
    hint: 'check that the address is that of a memctl server, of this version'
  })
}
