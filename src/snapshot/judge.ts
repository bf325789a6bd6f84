import { hash } from 'node:crypto'
import type { MemoryRecord } from '../contract/snapshot.ts'
import { canonicalObject, type JsonObject } from './canonical-json.ts'
import { hideSuffix, sha256, showSuffix } from './check.ts'
import { forgetId, identityOf, memoryId } from './identity.ts'
import { has, kindOf, type RecordKind } from './record-shape.ts'
import { MEMBERS, type Member, memberString, type RecordView, viewRecord } from './record-view.ts'

/** A sound line: what it is, and its check as 64 hex digits. One object, used again for every line. */
export type Judged = { kind: RecordKind; view: RecordView; check: string }

/**
 * Judges the bytes of one line: JSON that every reader understands alike, the shape of its kind, its check, its id.
 * Gives the line, or the reason why it is damaged.
 */
export function judgeLine(bytes: Buffer, start: number, end: number): Judged | string {
  const view = viewRecord(bytes, start, end)
  if (typeof view === 'string') return view
  const kind = kindOf(view)
  if (!KINDS.has(kind)) return kind
  judged.kind = kind as RecordKind
  judged.view = view
  return checkFault(view) ?? idFault(judged) ?? judged
}

/** The record as a value, with its check. */
export function recordOf(view: RecordView): JsonObject {
  return JSON.parse(view.bytes.toString('utf8', view.start, view.end))
}

/** The same, of a line that was judged to be a memory: its shape has been tested. */
export function memoryOf(view: RecordView): MemoryRecord {
  return recordOf(view) as MemoryRecord
}

const KINDS: ReadonlySet<string> = new Set(['memory', 'forget', 'header', 'unknown'])
const judged = { check: '' } as Judged

/** A canonical line is hashed as it stands; any other is brought into canonical form first. */
function checkFault(view: RecordView): string | undefined {
  if (view.canonical) {
    hideSuffix(view.bytes, view.suffix)
    judged.check = sha256(view.bytes.subarray(view.start, view.suffix + 1))
    showSuffix(view.bytes, view.suffix)
    const at = view.suffix + 10
    return view.bytes.toString('latin1', at, at + 64) === judged.check ? undefined : WRONG_CHECK
  }
  if (!has(view, MEMBERS.check)) return 'has no `check`'
  judged.check = sha256(canonicalObject(recordOf(view), 'check'))
  return memberString(view, MEMBERS.check) === judged.check ? undefined : WRONG_CHECK
}

const WRONG_CHECK = '`check` does not match: the line was changed or damaged'

function idFault({ kind, view }: Judged): string | undefined {
  if (kind === 'memory') {
    const id = view.canonical ? rawMemoryId(view) : memoryId(identityOf(memoryOf(view)))
    return isId(view, id) ? undefined : '`id` does not belong to this text, speaker, time and conversation'
  }
  if (kind === 'forget') {
    return isId(view, forgetId(memberString(view, MEMBERS.target) ?? '')) ? undefined : '`id` does not belong to this `target`'
  }
  return undefined
}

/** The shape of an id has been tested: no escapes, so its bytes are its letters. */
function isId(view: RecordView, id: string): boolean {
  const start = (view.at[MEMBERS.id] as number) + 1
  for (let i = 0; i < id.length; i++) if (view.bytes[start + i] !== id.charCodeAt(i)) return false
  return true
}

let scratch = Buffer.alloc(4096)
const PREFIX = '["memctl.memory.1",'

/** In a canonical line the bytes of the values are those of the identity's canonical form: no value need be made. */
function rawMemoryId(view: RecordView): string {
  const needed = view.end - view.start + 128
  if (scratch.length < needed) scratch = Buffer.alloc(needed * 2)
  let at = scratch.write(PREFIX, 0, 'latin1')
  at = put(view, MEMBERS.text, at, 'null,')
  at = put(view, MEMBERS.speaker, at, 'null,')
  at = has(view, MEMBERS.undated) ? at + scratch.write('null,', at, 'latin1') : put(view, MEMBERS.at, at, 'null,')
  at = put(view, MEMBERS.conversation, at, 'null,')
  at = put(view, MEMBERS.copy, at, '1,')
  scratch[at - 1] = 0x5d
  return `mem_${hash('sha256', scratch.subarray(0, at)).slice(0, 32)}`
}

/** By hand: a call of `copy` costs more than the few bytes that most members have. */
function put(view: RecordView, member: Member, at: number, absent: string): number {
  if (!has(view, member)) return at + scratch.write(absent, at, 'latin1')
  const { bytes } = view
  const into = scratch
  const end = view.at[member + 1] as number
  let to = at
  for (let from = view.at[member] as number; from < end; from++) into[to++] = bytes[from] as number
  into[to] = 0x2c
  return to + 1
}
