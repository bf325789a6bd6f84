import { Buffer } from 'node:buffer'
import { crc32 } from 'node:zlib'

/** An archive whose members are stored as they are: for a reader that wants one, of members that are known to be harmless. */
export function packZip(members: ReadonlyMap<string, Uint8Array>): Buffer {
  const files: Uint8Array[] = []
  const entries: Uint8Array[] = []
  let at = 0
  for (const [name, content] of members) {
    const path = Buffer.from(name)
    const facts = factsOf(content, path.length)
    const local = Buffer.concat([uint32(0x04034b50), facts, path])
    files.push(local, content)
    // Version made by; comment, disk, and kind of content are nothing.
    entries.push(Buffer.concat([uint32(0x02014b50), Buffer.of(20, 0), facts, Buffer.alloc(10), uint32(at), path]))
    at += local.length + content.length
  }
  const directory = Buffer.concat(entries)
  const counts = Buffer.alloc(8)
  counts.writeUInt16LE(members.size, 4)
  counts.writeUInt16LE(members.size, 6)
  const end = [uint32(0x06054b50), counts, uint32(directory.length), uint32(at), Buffer.alloc(2)]
  return Buffer.concat([...files, directory, ...end])
}

/** Version needed, names in UTF-8, stored, no time; check, sizes, length of the name, no extra field. */
function factsOf(content: Uint8Array, nameLength: number): Buffer {
  const facts = Buffer.alloc(26)
  facts.writeUInt16LE(20, 0)
  facts.writeUInt16LE(0x0800, 2)
  facts.writeUInt32LE(crc32(content), 10)
  facts.writeUInt32LE(content.length, 14)
  facts.writeUInt32LE(content.length, 18)
  facts.writeUInt16LE(nameLength, 22)
  return facts
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
