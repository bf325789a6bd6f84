import { readFileSync } from 'node:fs'
import type { Device } from '../../src/device/device.ts'

/**
 * Returns what a server sends for a collection with the content of this device: its canonical file, and the end line.
 */
export async function exportOf(device: Device): Promise<Buffer> {
  const { root_hash } = await device.compact()
  const text = readFileSync(device.path, 'utf8')
  const records = text.split('\n').length - 2
  return Buffer.from(`${text}${JSON.stringify({ type: 'end', records, root_hash })}\n`)
}

/** Yields bytes in chunks of a size. */
export async function* inChunks(bytes: Uint8Array, size = 64): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield Uint8Array.from(bytes.subarray(at, at + size))
}
