import { Fault } from '../../../contract/faults.ts'
import type { Files } from '../../../ports.ts'
import { defineCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { makeSystemFault } from '../../input/read-file-bytes.ts'
import { cardLines } from '../../output/card-lines.ts'
import { formatCount, shellWord, shortTime } from '../../output/short-forms.ts'
import { type WholeCopy, withSentSnapshot, withWholeCopy } from '../../snapshots/sent-snapshot.ts'
import { showTransfer } from '../../snapshots/show-transfer.ts'

export const importSnapshotCommand = defineCommand<{ file: string | undefined }>({
  name: 'import',
  summary: 'Import a snapshot into an ephemeral collection of the server',
  words: [{ name: '[file]', about: 'snapshot to import; the configured one by default; - for stdin' }],
  options: [],
  about:
    'Use it for debugging, or to work on a snapshot with the server. The server deletes the collection after one hour, ' +
    'unless configured otherwise, and only your key can access it. To import into a permanent collection, use ' +
    'memctl collections restore. The whole file is verified before anything is sent.',
  examples: ['memctl device import notes.mem.jsonl', 'memctl device import --json | jq -r .ephemeral_collection_id'],
  leaves: 'The file is unchanged; the server deletes a partly imported collection automatically',
  parse: ({ words }) => ({ file: words[0] }),
  run: (context, { file }) =>
    withSentSnapshot(context, file, (path) =>
      withWholeCopy(context, { path, form: 'jsonl' }, (copy) => send(context, copy, file ?? path))
    )
})

async function send(context: Context, copy: WholeCopy, name: string): Promise<void> {
  const { world, answer } = context
  const client = await context.client()
  const signal = world.terminal.interrupted
  const total = copy.memories + copy.forgotten
  const progress = await showTransfer(context, 'sent')
  try {
    const onBytes = (bytes: number): void =>
      progress.onProgress({ records: Math.round((total * bytes) / copy.bytes), bytes, total })
    const lines = fileChunks(world.files, copy.path, onBytes)
    const made = await client.importSnapshot({ lines }, { signal }).catch((error) => {
      throw tooLargeToImport(error, { name, bytes: copy.bytes })
    })
    const id = made.ephemeral_collection_id
    const { expires_at, memories } = await client.getCollection({ params: { collection_id: id } }, { signal })
    await progress.stop()
    const report = { ephemeral_collection_id: id, memories, expires_at }
    if (answer.mode === 'jsonl') return await answer.jsonLine({ event: 'done', ...report })
    await answer.object(report, {
      lines: (page) =>
        cardLines(
          [
            ['collection', id],
            ['memories', memories.toLocaleString('en-US')],
            ['expires', `${shortTime(expires_at)} UTC`],
            ['search', `memctl memories search -c ${id} "a question"`]
          ],
          page
        ),
      rows: () => [[id, expires_at]]
    })
  } finally {
    await progress.stop()
  }
}

function tooLargeToImport(error: unknown, { name, bytes }: { name: string; bytes: number }): unknown {
  if (!(error instanceof Fault) || error.code !== 'too_large') return error
  const restore = `memctl collections restore ${shellWord(name)} -c ID`
  return new Fault(
    'too_large',
    `the snapshot of ${formatCount(bytes, 'byte')} exceeds the server's limit for one request`,
    {
      hint: `import it in parts into a permanent collection: ${restore}; or raise MEMCTL_BODY_LIMIT on the server`,
      next: [restore],
      cause: error
    }
  )
}

/** Size of a chunk in bytes. */
const CHUNK_BYTES = 1 << 18

/** Yields a file in chunks. Calls `onBytes` after each chunk with the number of bytes so far. */
async function* fileChunks(files: Files, path: string, onBytes: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const fd = makeSystemFault(path, () => files.open(path, 'read'))
  try {
    for (let at = 0; ; ) {
      const chunk = new Uint8Array(CHUNK_BYTES)
      const count = makeSystemFault(path, () => files.read(fd, chunk, at))
      if (count === 0) return
      yield chunk.subarray(0, count)
      at += count
      onBytes(at)
    }
  } finally {
    files.close(fd)
  }
}
