import { Fault } from '../../../contract/faults.ts'
import type { Device, Stored, StoreInput } from '../../../device/types.ts'
import type { Context } from '../../context.ts'
import { parseMetadata } from '../../input/parse-metadata.ts'
import { parseTime } from '../../input/parse-time.ts'
import { readInputText } from '../../input/read-input.ts'
import { textOfWords } from '../../input/text-words.ts'
import { recordJson } from '../../views/record-json.ts'
import { RECORD_LIST } from '../../views/record-list.ts'
import { storedLines } from '../../views/stored.ts'
import { previewSnapshot, snapshotFlag, storeIntoSnapshot } from './open-snapshot.ts'
import type { SingleStore } from './store.ts'

/** No text is larger: its line would be over the format's limit. In bytes. */
const TEXT_BYTES_MAX = 16 << 20

/** Stores one text, or shows the record it would become. */
export async function storeOne(context: Context, options: SingleStore & { dryRun: boolean }): Promise<void> {
  const input = await understand(context, options)
  if (options.dryRun) return await previewSnapshot(context, (device) => preview(context, device, input))
  await storeIntoSnapshot(context, {
    test: async (device) => void (await device.preview(input)),
    work: (device) => keep(context, device, input)
  })
}

/** The text and what is said of it, as the flags gave them. */
export async function understand(context: Context, options: SingleStore): Promise<StoreInput> {
  const { world } = context
  const words = textOfWords(world, options.text, `memctl device store${snapshotFlag(context)} -f`)
  const text = options.file === undefined ? words : await readInputText(world, options.file, TEXT_BYTES_MAX)
  // A variable that is not set, or a program before the pipe that failed: a memory of nothing is never what is meant.
  if (text === undefined || text === '')
    throw new Fault('usage', 'the text is empty', { hint: 'memctl device store "a text", or -f FILE' })
  const { parseJson } = await context.device()
  return {
    text,
    metadata: parseMetadata(options.metadata, parseJson),
    at: options.at === undefined ? undefined : parseTime(options.at, '--at', world.clock.now()),
    speaker: options.speaker,
    conversation: options.conversation,
    position: options.position
  }
}

/** The records that would be stored, byte for byte what their lines hold. */
async function preview({ answer }: Context, device: Device, input: StoreInput): Promise<void> {
  const record = await device.preview(input)
  if (answer.mode === 'jsonl') return await answer.jsonLine(record)
  await answer.object(recordJson(record), {
    lines: (page) => storedLines({ ...record, record, notes: [] }, { page, verb: 'would store' }),
    rows: () => [RECORD_LIST.columns.map((column) => column.value(record))]
  })
}

async function keep({ world, answer, talk }: Context, device: Device, input: StoreInput): Promise<void> {
  const stored = await device.store(input, { signal: world.terminal.interrupted })
  await answerStored(answer, stored)
  for (const note of stored.notes) await talk.note(note)
}

/** Tells of a memory that was stored. */
export async function answerStored(answer: Context['answer'], stored: Stored): Promise<void> {
  const { id, at, record, notes } = stored
  await answer.object(
    { id, at, record: recordJson(record), notes },
    { lines: (page) => storedLines(stored, { page, verb: 'stored' }), rows: () => [[id, at]] }
  )
}
