import { Buffer } from 'node:buffer'
import { inflateRawSync } from 'node:zlib'
import { unreadable } from '../unreadable.ts'

/** Members of an archive, and bytes of all that is read out of it: documents have a few dozen and a few MiB. */
const MEMBERS_MAX = 5000
const BYTES_MAX = 100 * 1024 * 1024
const COMMENT_LENGTH_MAX = 65_535
const BROKEN = 'it is no whole ZIP archive, as such a document should be'

/** An archive by the names of its members. */
export type Zip = {
  names: string[]
  /** What a member holds; undefined where there is none. Whatever is read counts towards one limit. */
  read(name: string): Uint8Array | undefined
}

type Member = { name: string; flags: number; method: number; packed: number; size: number; at: number }

/**
 * Opens an archive by its directory (APPNOTE 6.3.10, sections 4.3.7, 4.3.12, 4.3.16). What a member says of its size is not believed:
 * it is taken out only as far as the limit goes.
 *
 * @throws ProviderFailure `item_permanent` where it is broken, encrypted, or larger than any document.
 */
export function openZip(bytes: Uint8Array): Zip {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const members = new Map(membersOf(file).map((member) => [member.name, member]))
  const declared = [...members.values()].reduce((sum, { size }) => sum + size, 0)
  if (declared > BYTES_MAX) throw tooLarge()
  let left = BYTES_MAX
  return {
    names: [...members.keys()],
    read(name) {
      const member = members.get(name)
      if (member === undefined) return undefined
      const content = contentOf(file, member, left)
      left -= content.length
      return content
    }
  }
}

function membersOf(file: Buffer): Member[] {
  const end = endOf(file)
  const count = file.readUInt16LE(end + 10)
  let at = file.readUInt32LE(end + 16)
  if (count > MEMBERS_MAX) throw unreadable(`it is an archive of more than ${MEMBERS_MAX} members`)
  const members: Member[] = []
  for (let i = 0; i < count; i += 1) {
    if (at + 46 > file.length || file.readUInt32LE(at) !== 0x02014b50) throw unreadable(BROKEN)
    const [name, extra, comment] = [28, 30, 32].map((place) => file.readUInt16LE(at + place)) as [
      number,
      number,
      number
    ]
    members.push({
      name: file.toString('utf8', at + 46, at + 46 + name),
      flags: file.readUInt16LE(at + 8),
      method: file.readUInt16LE(at + 10),
      packed: file.readUInt32LE(at + 20),
      size: file.readUInt32LE(at + 24),
      at: file.readUInt32LE(at + 42)
    })
    at += 46 + name + extra + comment
  }
  return members
}

/** Where the record at the end of the directory begins. */
function endOf(file: Buffer): number {
  const from = Math.max(0, file.length - COMMENT_LENGTH_MAX - 22)
  const end = file.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  if (end < from || end + 22 > file.length) throw unreadable(BROKEN)
  return end
}

function contentOf(file: Buffer, { flags, method, packed, at }: Member, most: number): Uint8Array {
  if (flags & 1) throw unreadable('it is encrypted')
  if (at + 30 > file.length || file.readUInt32LE(at) !== 0x04034b50) throw unreadable(BROKEN)
  const from = at + 30 + file.readUInt16LE(at + 26) + file.readUInt16LE(at + 28)
  if (from + packed > file.length) throw unreadable(BROKEN)
  const content = file.subarray(from, from + packed)
  if (method === 0 && packed <= most) return content
  if (method === 0 || most <= 0) throw tooLarge()
  return method === 8 ? inflated(content, most) : refuse()
}

function inflated(content: Buffer, most: number): Uint8Array {
  try {
    return inflateRawSync(content, { maxOutputLength: most })
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    throw unreadable(BROKEN, error)
  }
}

function refuse(): never {
  throw unreadable('it is packed in a way that documents are not')
}

function tooLarge() {
  return unreadable(`unpacked it is larger than ${BYTES_MAX / 2 ** 20} MiB`)
}
