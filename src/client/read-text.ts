/*
 * Not `response.text()`: it reads a body of any size and replaces invalid UTF-8 instead of refusing it.
 */

import { Fault } from '../contract/faults.ts'
import type { PlainReply } from '../ports.ts'

/**
 * Yields the body of a response in chunks. Throws `broken_transfer` if it breaks off; an abort error passes through.
 */
export async function* readChunks(response: PlainReply): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of response.body ?? []) yield chunk
  } catch (error) {
    if (error instanceof Fault || !(error instanceof Error) || error.name === 'AbortError') throw error
    throw new Fault('broken_transfer', 'the response ended early', { hint: 'try again', cause: error })
  }
}

/**
 * Reads the text of a body. Rejects with `broken_transfer` if it breaks off, exceeds `bytesMax` or is not valid UTF-8.
 */
export async function readText(response: PlainReply, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of readChunks(response)) {
    size += chunk.length
    if (size > bytesMax) throw new Fault('broken_transfer', `the response is larger than ${bytesMax / 1024 / 1024} MiB`)
    chunks.push(chunk)
  }
  return decodeText(chunks)
}

function decodeText(chunks: readonly Uint8Array[]): string {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('') + decoder.decode()
  } catch (cause) {
    throw new Fault('broken_transfer', 'the response is not valid UTF-8', { cause })
  }
}
