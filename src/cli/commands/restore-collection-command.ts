import type { Restored } from '../../contract/endpoints/collections.ts'
import { defineCommand } from '../command/command.ts'
import type { Context } from '../command/context.ts'
import { textOption } from '../input/command-line.ts'
import { cardLines } from '../output/card-lines.ts'
import type { Page, StyledLine } from '../output/styled-line.ts'
import { COLLECTION_OPTION, chooseCollection } from '../service/choose-collection.ts'
import { type WholeCopy, withSentSnapshot, withWholeCopy } from '../snapshots/sent-snapshot.ts'
import { showTransfer } from '../snapshots/show-transfer.ts'

type Options = { file: string | undefined; collection: string | undefined }

export const restoreCollectionCommand = defineCommand<Options>({
  name: 'restore',
  summary: 'Restore a snapshot into a permanent collection',
  words: [{ name: '[file]', about: 'snapshot to restore; the configured one by default; - for stdin' }],
  options: [COLLECTION_OPTION],
  about:
    'Sends a snapshot of any size in parts. Memories that the collection already has are not stored twice, and those it ' +
    'has forgotten stay forgotten, so you can run the command again. The whole file is verified before anything is sent.',
  examples: ['memctl collections restore notes.mem.jsonl -c 0198c1'],
  leaves: 'The parts sent so far are stored; run the command again to send the rest',
  parse: ({ words, options }) => ({ file: words[0], collection: textOption(options, 'collection') }),
  run: async (context, { file, collection }) => {
    const id = await chooseCollection(context, collection)
    await withSentSnapshot(context, file, (path) =>
      withWholeCopy(context, { path, form: 'jsonl' }, (copy) => restore(context, copy, id))
    )
  }
})

/** Maximum size of a part in bytes: far below the limit of a server, and about a second of work for it. */
const PART_BYTES_MAX = 16 << 20

async function restore(context: Context, copy: WholeCopy, id: string): Promise<void> {
  const { world } = context
  const deviceModule = await context.device()
  const client = await context.client()
  const progress = await showTransfer(context, 'sent')
  const done = { records: 0, stored: 0, known: 0, forgotten: 0 }
  let bytes = 0
  try {
    for (const part of deviceModule.parts(world, copy.path, PART_BYTES_MAX)) {
      const sent = { params: { collection_id: id }, lines: part.bytes }
      add(done, await client.restoreRecords(sent, { signal: world.terminal.interrupted }))
      bytes += part.bytes.length
      progress.onProgress({ records: done.records, bytes, total: copy.memories + copy.forgotten })
    }
  } finally {
    await progress.stop()
  }
  await answerRestore(context, { collection_id: id, ...done })
}

function add(done: Restored, more: Restored): void {
  done.records += more.records
  done.stored += more.stored
  done.known += more.known
  done.forgotten += more.forgotten
}

type Report = Restored & { collection_id: string }

async function answerRestore({ answer }: Context, report: Report): Promise<void> {
  if (answer.mode === 'jsonl') return await answer.jsonLine({ event: 'done', ...report })
  await answer.object(report, { lines: (page) => restoreLines(report, page) })
}

function restoreLines({ collection_id, records, stored, known, forgotten }: Report, page: Page): StyledLine[] {
  const count = (number: number, what: string): string | null =>
    number === 0 ? null : `${number.toLocaleString('en-US')} ${what}`
  return cardLines(
    [
      ['collection', collection_id],
      ['records', records.toLocaleString('en-US')],
      ['stored', stored.toLocaleString('en-US')],
      ['known', count(known, 'already in the collection')],
      ['forgotten', count(forgotten, 'not stored, because the collection has forgotten them')]
    ],
    page
  )
}
