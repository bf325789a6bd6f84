import { Fault } from '../../contract/faults.ts'
import type { SnapshotHeader } from '../../contract/snapshot.ts'
import { formatTime, TIME_TEXT } from '../../memory/parse-iso-time.ts'
import type { Clock, Ids } from '../../ports.ts'
import { HEADER_BYTES_MAX } from '../file/limits.ts'
import { type Json, type JsonObject, toCanonicalJson, toCanonicalObject } from '../json/json.ts'
import { CHECK_SUFFIX_BYTES, serializeRecord, sha256 } from './compute-check.ts'

const FORMAT_NAME = 'memctl.snapshot'

/** The only version so far. It gains optional fields and line types; another number means another format. */
const FORMAT_VERSION = 1

const NO_IDS_HASH = sha256('')

export type HeaderSeed = { id: string; created_at: string; collection_id?: string | null }

/** Creates the header of an empty snapshot. */
export function createEmptyHeader({ id, created_at, collection_id = null }: HeaderSeed): SnapshotHeader {
  const counted = { count: 0, ids_hash: NO_IDS_HASH }
  return { format: FORMAT_NAME, version: FORMAT_VERSION, id, created_at, collection_id, ...counted }
}

/** Creates a header with a new id and the current time. */
export function createHeader({ ids, clock }: { ids: Ids; clock: Clock }): SnapshotHeader {
  return createEmptyHeader({ id: `snp_${ids.randomHex(16)}`, created_at: formatTime(clock.now()) ?? FIRST_TIME })
}

/** Replaces the time of a clock that is out of range. */
const FIRST_TIME = '0000-01-01T00:00:00.000Z'

/** Returns a header as its line, without LF. */
export function serializeHeader(header: SnapshotHeader): string {
  return serializeRecord(header as JsonObject)
}

/**
 * Validates a header, and returns it or what is wrong with it.
 * @throws Fault `unsupported_version`; the rest of the file must not be read then.
 */
export function parseHeader(value: JsonObject, where: string): SnapshotHeader | string {
  if (value.format !== FORMAT_NAME) return `\`format\` is not "${FORMAT_NAME}"`
  if (typeof value.version === 'number' && value.version !== FORMAT_VERSION) {
    throw new Fault(
      'unsupported_version',
      `${where} has snapshot format version ${value.version}, but this memctl reads version ${FORMAT_VERSION}`,
      {
        hint: 'install the newest version of memctl: npm install -g memctl'
      }
    )
  }
  for (const [field, must, holds] of FIELDS) if (!holds(value[field])) return `\`${field}\` must ${must}`
  const text = toCanonicalObject(value, 'check')
  if (Buffer.byteLength(text) + CHECK_SUFFIX_BYTES > HEADER_BYTES_MAX)
    return `it takes more than ${HEADER_BYTES_MAX} bytes`
  return value.check === sha256(text)
    ? (value as SnapshotHeader)
    : '`check` does not match: the header was changed or damaged'
}

type FieldRule = readonly [field: string, must: string, holds: (value: Json | undefined) => boolean]

const FIELDS: readonly FieldRule[] = [
  ['version', 'be 1', (value) => value === FORMAT_VERSION],
  ['records', 'be absent', (value) => value === undefined],
  ['id', 'be snp_ and 32 lower-case hex digits', matches(/^snp_[0-9a-f]{32}$/)],
  ['created_at', 'be a time like 2026-01-02T03:04:05.000Z', matches(TIME_TEXT)],
  ['collection_id', 'be a string or null', (value) => value === null || typeof value === 'string'],
  ['count', 'be a whole number of at least 0', (value) => Number.isSafeInteger(value) && (value as number) >= 0],
  ['ids_hash', 'be 64 lower-case hex digits', matches(/^[0-9a-f]{64}$/)]
]

function matches(pattern: RegExp): (value: Json | undefined) => boolean {
  return (value) => typeof value === 'string' && pattern.test(value)
}

/**
 * Joins several headers field by field, independent of their order: the smallest `id`, the earliest `created_at`,
 * `collection_id` or null if they differ, and for any other field the smallest canonical value. The writer sets `count`
 * and `ids_hash`.
 */
export function joinHeaders(headers: readonly SnapshotHeader[]): JsonObject {
  const joined: JsonObject = Object.create(null)
  for (const header of headers as readonly JsonObject[]) {
    for (const [field, value] of Object.entries(header)) {
      const before = joined[field]
      if (before === undefined || pickSmaller(value, before)) joined[field] = value
    }
  }
  const collections = new Set(headers.map((header) => header.collection_id))
  return {
    ...joined,
    collection_id: collections.size === 1 ? (headers[0]?.collection_id ?? null) : null,
    check: undefined
  }
}

function pickSmaller(a: Json | undefined, b: Json): boolean {
  return a !== undefined && toCanonicalJson(a) < toCanonicalJson(b)
}
