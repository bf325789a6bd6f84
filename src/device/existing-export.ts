import { Fault } from '../contract/faults.ts'
import { openSource, type Source } from '../snapshot/file/source.ts'
import { parseLine } from '../snapshot/record/parse-line.ts'
import { assertSound, type Survey, surveyInParts } from '../snapshot/survey.ts'
import type { RecordRow } from '../snapshot/table/record-table.ts'
import { createSurveyHelp, type DeviceWorld } from './device-world.ts'

/** A file with an earlier export of a collection, which the changes since then complete to a whole export. */
export type ExistingExport = {
  /** The sequence number of the collection at the time of that export. */
  after: number
  /** The epoch of that number, if the export has it. */
  epoch: string | undefined
  /**
   * Yields the chunks of an export with only the changes, and before its end line the lines of the file that no change
   * replaces. The receiver validates the result like any other export.
   */
  complete(changes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>
  close(): void
}

/**
 * Opens an existing export of a collection. Returns undefined if the file is missing or damaged, is an object instead of
 * lines, or is not an export of this collection that has its sequence number.
 */
export async function openExistingExport(
  world: DeviceWorld,
  path: string,
  { collectionId, signal }: { collectionId: string; signal?: AbortSignal | undefined }
): Promise<ExistingExport | undefined> {
  if (world.files.find(path) === undefined) return undefined
  const source = openSource(world.files, path)
  try {
    const survey = await surveyInParts(source, createSurveyHelp(world, signal, 'nothing was written'))
    assertSound(path, survey)
    const found = findSequence(survey, collectionId)
    if (found !== undefined)
      return {
        ...found,
        complete: (changes) => completeExport(changes, { source, survey }),
        close: () => source.close()
      }
  } catch (error) {
    source.close()
    if (!(error instanceof Fault) || error.code === 'cancelled') throw error
    return undefined
  }
  source.close()
  return undefined
}

function findSequence({ reading }: Survey, collectionId: string): Pick<ExistingExport, 'after' | 'epoch'> | undefined {
  const [header, second] = reading.headers
  if (header === undefined || second !== undefined || reading.form !== 'jsonl') return undefined
  const { collection_id, collection_seq, collection_epoch } = header
  const after = Number.isSafeInteger(collection_seq) ? Number(collection_seq) : 0
  if (collection_id !== collectionId || after <= 0) return undefined
  return { after, epoch: typeof collection_epoch === 'string' ? collection_epoch : undefined }
}

const LF = 0x0a

/** What the changes replace: memories, by id in hex, and other lines that are sent again, by check. */
type Replaced = { ids: Set<string>; checks: Set<string> }

async function* completeExport(
  changes: AsyncIterable<Uint8Array>,
  existing: { source: Source; survey: Survey }
): AsyncGenerator<Uint8Array> {
  const replaced: Replaced = { ids: new Set(), checks: new Set() }
  let waiting: Uint8Array[] = []
  for await (const chunk of changes) {
    if (chunk.lastIndexOf(LF) < 0) {
      waiting.push(chunk)
      continue
    }
    const bytes = Buffer.concat([...waiting, chunk])
    let start = 0
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, start)) {
      if (!noteReplaced(replaced, bytes, { start, end })) {
        yield bytes.subarray(0, start)
        yield* keptLines(existing, replaced)
        yield bytes.subarray(start)
        return
      }
      start = end + 1
    }
    yield bytes.subarray(0, start)
    waiting = [bytes.subarray(start)]
  }
  yield Buffer.concat(waiting)
}

/** Notes what a line replaces. Returns false if it is not a line of a snapshot, such as the end line. */
function noteReplaced({ ids, checks }: Replaced, bytes: Buffer, { start, end }: { start: number; end: number }) {
  const parsed = parseLine(bytes, start, end)
  if (typeof parsed === 'string') return false
  if (parsed.kind === 'memory' || parsed.kind === 'forget') ids.add(parsed.id.slice('mem_'.length))
  if (parsed.kind === 'unknown') checks.add(parsed.check)
  return true
}

/** Bytes of lines that are yielded together. */
const CHUNK_BYTES = 256 * 1024

/** Yields the lines of the file that are not replaced, each with an LF. */
function* keptLines(
  { source, survey: { table } }: { source: Source; survey: Survey },
  { ids, checks }: Replaced
): Generator<Uint8Array> {
  let chunk: Buffer[] = []
  let size = 0
  for (const number of table.listKept()) {
    const row = table.row(number)
    const isReplaced = row.id === undefined ? checks.has(table.check(number)) : ids.has(row.id.toString('hex'))
    if (isReplaced) continue
    const line = readLine(source, row)
    chunk.push(line)
    size += line.length
    if (size < CHUNK_BYTES) continue
    yield Buffer.concat(chunk)
    chunk = []
    size = 0
  }
  yield Buffer.concat(chunk)
}

function readLine(source: Source, { offset, length }: RecordRow): Buffer {
  const line = Buffer.alloc(length + 1)
  source.read(line.subarray(0, length), offset)
  line[length] = LF
  return line
}
