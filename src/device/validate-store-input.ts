import { Fault } from '../contract/faults.ts'
import type { Metadata } from '../contract/snapshot.ts'
import { type Fields, resolveFields } from '../memory/fields.ts'
import { parseIsoTime } from '../memory/parse-iso-time.ts'
import { LINE_BYTES_MAX } from '../snapshot/file/limits.ts'
import { describeJsonFault, type Json, type JsonObject, parseJson } from '../snapshot/json/json.ts'
import type { StoreInput } from './device.ts'

/** A validated memory. Storing it can only fail because of its size. */
export type ValidInput = { text: string; metadata: Metadata | undefined; fields: Fields }

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
    fields[name] = name === 'metadata' ? validateMetadata(input.metadata) : validateText(name, value)
  }
  const tested = validateFields(fields, 'text')
  if (typeof tested === 'string') throw new Fault('invalid_input', tested)
  return tested
}

/**
 * Checks that a line can hold a string; returns any other value unchanged.
 * @throws Fault `invalid_input`, `too_large`.
 */
export function validateText<T>(name: string, value: T): T {
  if (typeof value !== 'string') return value
  if (value.length > LINE_BYTES_MAX) {
    throw new Fault(
      'too_large',
      `\`${name}\` is too long: a line has at most ${LINE_BYTES_MAX} bytes, and it has ${value.length} characters`
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
  return { text, metadata, fields: resolveFields(pickFields(value), metadata) }
}

function pickFields({ at, speaker, conversation, position }: JsonObject): Fields {
  return {
    at: typeof at === 'string' ? parseIsoTime(at) : undefined,
    speaker: (speaker ?? undefined) as string | undefined,
    conversation: (conversation ?? undefined) as string | undefined,
    position: (position ?? undefined) as number | undefined
  }
}

type Rule = { must: string; holds: (value: Json) => boolean }

const TEXT: Rule = { must: 'a string', holds: (value) => typeof value === 'string' }

const RULES: Readonly<Record<string, Rule | undefined>> = {
  at: {
    must: 'a time in ISO 8601, such as 2026-01-02T03:04:05Z',
    holds: (value) => typeof value === 'string' && parseIsoTime(value) !== undefined
  },
  speaker: TEXT,
  conversation: TEXT,
  position: { must: 'a whole number', holds: (value) => Number.isSafeInteger(value) },
  metadata: {
    must: 'an object',
    holds: (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
  }
}

/**
 * Converts metadata to JSON. Values with a `toJSON` method (such as dates) are converted by it, and undefined members
 * are left out. Values that JSON would silently drop or change are an error.
 * @throws Fault `malformed_json`, `too_large`.
 */
function validateMetadata(metadata: Metadata | undefined): Json | undefined {
  if (metadata === undefined) return undefined
  const text = stringifyMetadata(metadata)
  if (text.length > LINE_BYTES_MAX) {
    throw new Fault(
      'too_large',
      `\`metadata\` is too long: a line has at most ${LINE_BYTES_MAX} bytes, and it has ${text.length} characters`
    )
  }
  const parsed = parseJson(Buffer.from(text))
  if ('fault' in parsed) throw new Fault('malformed_json', `metadata ${describeJsonFault(parsed.fault)}`)
  return parsed.value
}

function stringifyMetadata(metadata: Metadata): string {
  try {
    const text: string | undefined = JSON.stringify(metadata, (key, value) =>
      isLossy(value) ? refuseValue(key, value) : value
    )
    return text ?? refuseValue('', metadata)
  } catch (cause) {
    const why =
      cause instanceof LossyValueError
        ? cause.message
        : 'it has a cycle, is nested too deeply, or contains a value that JSON cannot represent'
    throw new Fault('malformed_json', `\`metadata\` cannot be written as JSON: ${why}`, { cause })
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
