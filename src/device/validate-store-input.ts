import { Fault } from '../contract/faults.ts'
import type { MemoryRecord, Metadata } from '../contract/snapshot.ts'
import { type Fields, resolveFields } from '../memory/fields.ts'
import { parseIsoTime } from '../memory/parse-iso-time.ts'
import { LINE_BYTES_MAX } from '../snapshot/file/limits.ts'
import { describeJsonFault, type Json, type JsonObject, parseJson } from '../snapshot/json/json.ts'
import type { StoreInput } from './device.ts'

/** A validated memory. Storing it can only fail because of its size. */
export type ValidInput = {
  text: string
  metadata: Metadata | undefined
  fields: Fields
  /** Entries as a line holds them. */
  given: MemoryRecord['given']
  supersedes: string[] | undefined
}

/**
 * Validates the input of `store`.
 * @throws Fault `invalid_input` that names the field, `malformed_json` for metadata that JSON cannot represent,
 * `too_large`.
 */
export function validateStoreInput(input: StoreInput): ValidInput {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new Fault('invalid_input', 'invalid memory: expected an object with a `text`', {
      hint: "pass an object such as { text: 'Anna moved to Lisbon' }"
    })
  }
  const fields: JsonObject = Object.create(null)
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue
    fields[name] = NESTED.has(name) ? validateNested(name, value) : validateText(name, value)
  }
  const tested = validateFields(fields, 'text')
  if (typeof tested === 'string') throw new Fault('invalid_input', tested)
  return tested
}

/** Fields whose values are objects or arrays. */
const NESTED: ReadonlySet<string> = new Set(['metadata', 'given', 'supersedes'])

/**
 * Checks that a line can hold a string; returns any other value unchanged.
 * @throws Fault `invalid_input`, `too_large`.
 */
export function validateText<T>(name: string, value: T): T {
  if (typeof value !== 'string') return value
  if (value.length > LINE_BYTES_MAX) {
    throw new Fault(
      'too_large',
      `\`${name}\` is too long: it has ${Buffer.byteLength(value)} bytes, but a line may have at most ${LINE_BYTES_MAX}`
    )
  }
  if (!value.isWellFormed()) {
    throw new Fault('invalid_input', `\`${name}\` has a lone surrogate, which UTF-8 cannot represent`)
  }
  return value
}

/**
 * Validates the fields of a batch line or of `store`, and returns the memory or what is wrong. A field with the value
 * null counts as absent; an unknown field is an error, because ignoring it would lose data.
 */
export function validateFields(value: JsonObject, textName: 'text' | 'raw_text'): ValidInput | string {
  const text = value[textName]
  if (typeof text !== 'string') return `\`${textName}\` must be a string`
  for (const name of Object.keys(value)) {
    const given = value[name]
    if (name === textName || given === null || given === undefined) continue
    const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined
    if (rule === undefined) return `unknown field \`${name}\`; move it to \`metadata\``
    if (!rule.holds(given)) return `\`${name}\` must be ${rule.must}`
  }
  const metadata = (value.metadata ?? undefined) as Metadata | undefined
  return {
    text,
    metadata,
    fields: resolveFields(pickFields(value), metadata),
    given: (value.given as JsonObject[] | null | undefined)?.map(toGivenFact) as MemoryRecord['given'],
    supersedes: (value.supersedes ?? undefined) as string[] | undefined
  }
}

function pickFields({ at, speaker, conversation, position }: JsonObject): Fields {
  return {
    at: typeof at === 'string' ? parseIsoTime(at) : undefined,
    speaker: (speaker ?? undefined) as string | undefined,
    conversation: (conversation ?? undefined) as string | undefined,
    position: (position ?? undefined) as number | undefined
  }
}

/** Returns a valid given fact with its times as a line holds them. */
function toGivenFact({ valid_from, valid_to, ...fact }: JsonObject): JsonObject {
  const [from, to] = [valid_from, valid_to].map((time) => (typeof time === 'string' ? parseIsoTime(time) : undefined))
  return { ...fact, ...(from !== undefined && { valid_from: from }), ...(to !== undefined && { valid_to: to }) }
}

type Rule = { must: string; holds: (value: Json) => boolean }

const TEXT: Rule = { must: 'a string', holds: (value) => typeof value === 'string' }

const RULES: Readonly<Record<string, Rule | undefined>> = {
  at: { must: 'a time in ISO 8601, such as 2026-01-02T03:04:05Z', holds: isIsoTime },
  speaker: TEXT,
  conversation: TEXT,
  position: { must: 'a whole number', holds: (value) => Number.isSafeInteger(value) },
  metadata: { must: 'an object', holds: isObject },
  given: {
    must:
      'an array of facts, each an object with the strings `subject`, `predicate` and `value`, and optionally ' +
      '`valid_from` and `valid_to`, times in ISO 8601',
    holds: (value) => Array.isArray(value) && value.every(isGivenFact)
  },
  supersedes: {
    must: 'an array of memory ids: mem_ and 32 hex digits',
    holds: (value) => Array.isArray(value) && value.every((id) => typeof id === 'string' && MEMORY_ID.test(id))
  }
}

const MEMORY_ID = /^mem_[0-9a-f]{32}$/

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isIsoTime(value: Json): boolean {
  return typeof value === 'string' && parseIsoTime(value) !== undefined
}

/** Checks an entry of `given`. An unknown member is an error here too, because it would be lost. */
function isGivenFact(entry: Json): boolean {
  if (!isObject(entry)) return false
  const { subject, predicate, value, valid_from = null, valid_to = null, ...others } = entry
  return (
    [subject, predicate, value].every((one) => typeof one === 'string') &&
    [valid_from, valid_to].every((time) => time === null || isIsoTime(time)) &&
    Object.keys(others).length === 0
  )
}

/**
 * Converts the value of a field to JSON. Values with a `toJSON` method (such as dates) are converted by it, and
 * undefined members are left out. Values that JSON would silently drop or change are an error.
 * @throws Fault `malformed_json`, `too_large`.
 */
function validateNested(name: string, value: unknown): Json {
  const text = stringifyValue(name, value)
  if (text.length > LINE_BYTES_MAX) {
    throw new Fault(
      'too_large',
      `\`${name}\` is too long: it has ${Buffer.byteLength(text)} bytes, but a line may have at most ${LINE_BYTES_MAX}`
    )
  }
  const parsed = parseJson(Buffer.from(text))
  if ('fault' in parsed) throw new Fault('malformed_json', `${name} ${describeJsonFault(parsed.fault)}`)
  return parsed.value
}

function stringifyValue(name: string, whole: unknown): string {
  try {
    const text: string | undefined = JSON.stringify(whole, (key, value) =>
      isLossy(value) ? refuseValue(key, value) : value
    )
    return text ?? refuseValue('', whole)
  } catch (cause) {
    const why =
      cause instanceof LossyValueError
        ? cause.message
        : 'it has a cycle, is nested too deeply, or contains a value that JSON cannot represent'
    throw new Fault('malformed_json', `\`${name}\` cannot be written as JSON: ${why}`, { cause })
  }
}

/** A class of its own, to distinguish it from errors that objects of the caller throw. */
class LossyValueError extends Error {}

function refuseValue(key: string, value: unknown): never {
  throw new LossyValueError(`${key === '' ? 'it' : `\`${key}\``} is ${describeValue(value)}`)
}

/** Recognises values that JSON writes as null, as an empty object, or not at all. */
function isLossy(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  if (typeof value === 'object' && value !== null) return !PLAIN.has(describeValue(value))
  return typeof value === 'function' || typeof value === 'symbol'
}

const PLAIN: ReadonlySet<string> = new Set(['Object', 'Array'])

/** Returns a name such as `Map`, `Function` or `NaN`. */
function describeValue(value: unknown): string {
  return typeof value === 'number' ? String(value) : Object.prototype.toString.call(value).slice(8, -1)
}
