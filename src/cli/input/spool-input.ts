import { join } from 'node:path'
import { Fault, faultLike } from '../../contract/faults.ts'
import type { Files, World } from '../../ports.ts'
import { makeSystemFault } from './read-file-bytes.ts'

type SpoolWorld = Pick<World, 'files' | 'folders' | 'ids' | 'terminal'>

/** Calls `work` with the path of a temporary file that contains all of stdin, and removes the file afterwards. */
export async function spoolInput<Value>(world: SpoolWorld, work: (path: string) => Promise<Value>): Promise<Value> {
  return await withTemporaryPath(world, async (path) => {
    const fd = makeSystemFault(path, () => world.files.open(path, 'create', 0o600))
    try {
      for await (const chunk of world.terminal.input.read())
        makeSystemFault(path, () => writeAll(world.files, fd, chunk))
    } finally {
      world.files.close(fd)
    }
    return await work(path).catch((error) => {
      throw describeStdin(error, path)
    })
  })
}

/** Replaces the path of the temporary file by stdin in an error, because the file no longer exists when the error is read. */
function describeStdin(error: unknown, path: string): unknown {
  if (!(error instanceof Fault)) return error
  return faultLike(error, {
    message: error.message.replaceAll(path, 'stdin'),
    hint: error.hint?.replaceAll(path, '-'),
    next: error.next.map((command) => command.replaceAll(path, '-'))
  })
}

/** Calls `work` with the path of a temporary file to write, sends that file to stdout, and removes it. */
export async function spoolOutput<Value>(world: SpoolWorld, work: (path: string) => Promise<Value>): Promise<Value> {
  return await withTemporaryPath(world, async (path) => {
    const value = await work(path)
    await sendFile(world, path)
    return value
  })
}

/** Bytes of a file that are read at once. */
const SEND_BYTES = 1 << 20

async function sendFile({ files, terminal }: SpoolWorld, path: string): Promise<void> {
  const fd = makeSystemFault(path, () => files.open(path, 'read'))
  try {
    for (let at = 0; !terminal.output.closed; ) {
      const chunk = new Uint8Array(SEND_BYTES)
      const count = makeSystemFault(path, () => files.read(fd, chunk, at))
      if (count === 0) return
      await terminal.output.write(chunk.subarray(0, count))
      at += count
    }
  } finally {
    files.close(fd)
  }
}

/** Calls `work` with an unused path for a temporary file, and removes the file afterwards. */
export async function withTemporaryPath<Value>(
  world: SpoolWorld,
  work: (path: string) => Promise<Value>
): Promise<Value> {
  const path = join(world.folders.temporary, `memctl-${world.ids.randomHex(8)}.mem.jsonl`)
  try {
    return await work(path)
  } finally {
    if (world.files.findEntry(path) !== undefined) world.files.unlink(path)
  }
}

function writeAll(files: Files, fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += files.write(fd, bytes.subarray(done))
}
