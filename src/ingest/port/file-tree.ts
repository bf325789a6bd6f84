import { UnreadableError } from '../../documents/port/unreadable-error.ts'
import type { FileFacts } from '../../ports.ts'
import type { LossReason } from './losses.ts'

/**
 * The input of an import as a list of files, whether it is a folder, a file or an archive. Paths use `/`, are in Unicode
 * form NFC, and are names only: nothing is ever written to them.
 */
export type FileTree = {
  /** The name of the folder, file or archive without its ending. */
  name: string
  kind: 'folder' | 'file' | 'archive'
  /** In the order of their paths, regardless of their order in the folder or archive. */
  files: readonly TreeFile[]
  /** Entries that could not become a file of the tree. */
  losses: readonly TreeLoss[]
  close(): void
}

export type TreeFile = {
  path: string
  /** Bytes, unpacked. */
  size: number
  modifiedMs?: number
  /** The facts of a file in a folder, from before it is read. */
  facts?: FileFacts
  /**
   * Yields the content in chunks, which are valid until the next one is requested.
   * @throws TreeError
   */
  read(): AsyncIterable<Uint8Array>
}

export type TreeLoss = { path: string; kind: 'file' | 'folder'; reason: LossReason }

/** The error of a file whose content cannot be read. `reason` is the one for the report. */
export class TreeError extends Error {
  override readonly name = 'TreeError'
  readonly reason: LossReason

  constructor(reason: LossReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

/** Returns why a file could not be read. @throws any other error, such as that of an interruption. */
export function toLossReason(error: unknown): LossReason {
  if (error instanceof TreeError) return error.reason
  if (!(error instanceof UnreadableError)) throw error
  const { message } = error
  if (/encrypted|password/.test(message)) return 'encrypted'
  return /larger than|too much memory|takes longer|more than/.test(message) ? 'too_large' : 'damaged'
}

/**
 * Reads a whole file.
 * @throws TreeError `too_large` if it exceeds `bytesMax`.
 */
export async function readWhole(file: TreeFile, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  if (file.size > bytesMax) throw tooLargeError(file, bytesMax)
  const bytes = new Uint8Array(file.size)
  let size = 0
  for await (const chunk of file.read()) {
    if (size + chunk.length > bytes.length) throw new TreeError('damaged', `${file.path} is longer than declared`)
    bytes.set(chunk, size)
    size += chunk.length
  }
  return size === bytes.length ? bytes : bytes.slice(0, size)
}

/**
 * Reads the first bytes of a file.
 * @throws TreeError
 */
export async function readHead(file: TreeFile, bytesMax: number): Promise<Uint8Array> {
  const head = new Uint8Array(Math.min(bytesMax, file.size))
  let size = 0
  for await (const chunk of file.read()) {
    const part = chunk.subarray(0, head.length - size)
    head.set(part, size)
    size += part.length
    if (size === head.length) break
  }
  return head.subarray(0, size)
}

function tooLargeError({ path, size }: TreeFile, bytesMax: number): TreeError {
  return new TreeError('too_large', `${path} has ${size} bytes, more than the limit of ${bytesMax}`)
}
