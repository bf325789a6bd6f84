import { dirname, resolve } from 'node:path'
import { Fault } from '../../contract/faults.ts'
import type { World } from '../../ports.ts'
import { readFileBytes, tooLarge, utf8Text } from './read-file-bytes.ts'

type InputWorld = Pick<World, 'files' | 'folders' | 'terminal'>

/** Reads the complete text of a file, or of stdin if the name is `-`, without trimming. */
export async function readInputText(world: InputWorld, name: string, bytesMax: number): Promise<string> {
  if (name === '-') return utf8Text(await readStream(world.terminal.input.read(), bytesMax), 'stdin')
  const bytes = readFileBytes(world.files, resolveInputPath(world, name), bytesMax)
  if (bytes === undefined)
    throw new Fault('not_found', `file ${name} does not exist`, { hint: 'check the path, or give - for stdin' })
  return utf8Text(bytes, name)
}

/** Resolves a path against the current folder. */
export function resolveInputPath(world: Pick<World, 'folders'>, name: string): string {
  return resolve(world.folders.current, name)
}

async function readStream(stream: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > bytesMax) throw tooLarge('stdin', bytesMax)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Yields a folder and its parents, nearest first. */
export function* walkUpward(folder: string): Generator<string> {
  for (let at = folder; ; at = dirname(at)) {
    yield at
    if (dirname(at) === at) return
  }
}
