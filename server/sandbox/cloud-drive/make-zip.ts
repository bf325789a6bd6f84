import { Buffer } from 'node:buffer'

const STAMP = Buffer.from([0, 0, 0x21, 0x58])

/** A ZIP file whose members are stored as they are (APPNOTE 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16), without times. */
export function makeZip(members: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  const files: Buffer[] = []
  const entries: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(members)) {
    const path = Buffer.from(name)
    const bytes = Buffer.from(content)
    const facts = factsOf(bytes, path.length)
    const file = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), facts, path, bytes])
    const head = Buffer.from('PK\x01\x02\x14\x00', 'latin1')
    entries.push(Buffer.concat([head, facts, Buffer.alloc(10), uint32(offset), path]))
    files.push(file)
    offset += file.length
  }
  const directory = Buffer.concat(entries)
  const count = Buffer.alloc(4)
  count.writeUInt16LE(entries.length, 0)
  count.writeUInt16LE(entries.length, 2)
  const end = [
    Buffer.from('PK\x05\x06\0\0\0\0', 'latin1'),
    count,
    uint32(directory.length),
    uint32(offset),
    Buffer.alloc(2)
  ]
  return Buffer.concat([...files, directory, ...end])
}

/** What the head of a member and its entry in the directory have in common: 26 bytes from the version on. */
function factsOf(bytes: Buffer, pathLength: number): Buffer {
  const lengths = Buffer.alloc(4)
  lengths.writeUInt16LE(pathLength, 0)
  const method = Buffer.from([0x14, 0, 0, 0, 0, 0])
  return Buffer.concat([method, STAMP, uint32(crc32(bytes)), uint32(bytes.length), uint32(bytes.length), lengths])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value >>> 0)
  return bytes
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff
  for (const byte of bytes) value = (value >>> 8) ^ (CRC_TABLE[(value ^ byte) & 0xff] ?? 0)
  return value ^ 0xffffffff
}
