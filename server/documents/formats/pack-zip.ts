import { Buffer } from 'node:buffer'
import { crc32 } from 'node:zlib'

/** Packs members into an archive without compression, for a library that takes only an archive. */
export function packZip(members: ReadonlyMap<string, Uint8Array>): Buffer {
  const files: Uint8Array[] = []
  const entries: Uint8Array[] = []
  let at = 0
  for (const [name, content] of members) {
    const path = Buffer.from(name)
    const facts = toHeaderFields(content, path.length)
    const local = Buffer.concat([toUint32(0x04034b50), facts, path])
    files.push(local, content)
    // Version made by; comment, disk, and kind of content are empty.
    entries.push(Buffer.concat([toUint32(0x02014b50), Buffer.of(20, 0), facts, Buffer.alloc(10), toUint32(at), path]))
    at += local.length + content.length
  }
  const directory = Buffer.concat(entries)
  const counts = Buffer.alloc(8)
  counts.writeUInt16LE(members.size, 4)
  counts.writeUInt16LE(members.size, 6)
  const end = [toUint32(0x06054b50), counts, toUint32(directory.length), toUint32(at), Buffer.alloc(2)]
  return Buffer.concat([...files, directory, ...end])
}

/** Version needed, names in UTF-8, stored, no time; check, sizes, length of the name, no extra field. */
function toHeaderFields(content: Uint8Array, nameLength: number): Buffer {
  const facts = Buffer.alloc(26)
  facts.writeUInt16LE(20, 0)
  facts.writeUInt16LE(0x0800, 2)
  facts.writeUInt32LE(crc32(content), 10)
  facts.writeUInt32LE(content.length, 14)
  facts.writeUInt32LE(content.length, 18)
  facts.writeUInt16LE(nameLength, 22)
  return facts
}

function toUint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
