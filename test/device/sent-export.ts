import { readFileSync } from 'node:fs'
import type { Device } from '../../src/device/device.ts'

/** What a server sends for a collection that holds what this device holds: its file in canonical form, and the end. */
export async function exportOf(device: Device): Promise<Buffer> {
  const { root_hash } = await device.compact()
  const text = readFileSync(device.path, 'utf8')
  const records = text.split('\n').length - 2
  return Buffer.from(`${text}${JSON.stringify({ type: 'end', records, root_hash })}\n`)
}

/** Bytes in chunks of a size. */
export async function* inChunks(bytes: Uint8Array, size = 64): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield Uint8Array.from(bytes.subarray(at, at + size))
}
