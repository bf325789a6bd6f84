import { Fault } from '../contract/faults.ts'
import type { Metadata } from '../contract/snapshot.ts'
import { type Fields, fieldsOf } from '../memory/fields.ts'
import { isoTime } from '../memory/iso-time.ts'
import { LINE_BYTES_MAX } from '../snapshot/file/limits.ts'
import type { Json, JsonObject } from '../snapshot/json/json.ts'
import { testMetadata } from './test-metadata.ts'
import type { StoreInput } from './types.ts'

/** One thing to remember, tested: what is left to do cannot fail but for its size. */
export type Tested = { text: string; metadata: Metadata | undefined; fields: Fields }

/**
 * Tests what a program gave to be remembered.
 * @throws Fault `invalid_input` naming the field, `malformed_json` for metadata that JSON cannot hold, `too_large`.
 */
export function testInput(input: StoreInput): Tested {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new Fault('invalid_input', 'what is to be remembered must be an object with a `text`', {
      hint: "give it { text: 'Anna moved to Lisbon' }"
    })
  }
  const fields: JsonObject = Object.create(null)
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue
    fields[name] = name === 'metadata' ? testMetadata(input.metadata) : testText(name, value)
  }
  const tested = testFields(fields, 'text')
  if (typeof tested === 'string') throw new Fault('invalid_input', tested)
  return tested
}

/**
 * A text that a program gave, tested to be one that a line can hold; anything else as it is.
 * @throws Fault `invalid_input`, `too_large`.
 */
export function testText<T>(name: string, value: T): T {
  if (typeof value !== 'string') return value
  if (value.length > LINE_BYTES_MAX) {
    throw new Fault(
      'too_large',
      `\`${name}\` has ${value.length} characters, and a line may have ${LINE_BYTES_MAX} bytes`
    )
  }
  if (!value.isWellFormed()) {
    throw new Fault('invalid_input', `\`${name}\` has a lone surrogate, which UTF-8 cannot hold`)
  }
  return value
}

/**
 * The fields of a batch line or of `store`, tested: gives what is to be remembered, or what is wrong. A field that is
 * null counts as absent; an unknown one is refused, since dropping it would lose it.
 */
export function testFields(value: JsonObject, textName: 'text' | 'raw_text'): Tested | string {
  const text = value[textName]
  if (typeof text !== 'string') return `\`${textName}\` must be a text`
  for (const name of Object.keys(value)) {
    const given = value[name]
    if (name === textName || given === null || given === undefined) continue
    const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined
    if (rule === undefined) return `\`${name}\` is no field of a memory; put it into \`metadata\``
    if (!rule.holds(given)) return `\`${name}\` must be ${rule.must}`
  }
  const metadata = (value.metadata ?? undefined) as Metadata | undefined
  return { text, metadata, fields: fieldsOf(givenFields(value), metadata) }
}

function givenFields({ at, speaker, conversation, position }: JsonObject): Fields {
  return {
    at: typeof at === 'string' ? isoTime(at) : undefined,
    speaker: (speaker ?? undefined) as string | undefined,
    conversation: (conversation ?? undefined) as string | undefined,
    position: (position ?? undefined) as number | undefined
  }
}

type Rule = { must: string; holds: (value: Json) => boolean }

const TEXT: Rule = { must: 'a text', holds: (value) => typeof value === 'string' }

const RULES: Readonly<Record<string, Rule | undefined>> = {
  at: {
    must: 'a time in ISO 8601, like 2026-01-02T03:04:05Z',
    holds: (value) => typeof value === 'string' && isoTime(value) !== undefined
  },
  speaker: TEXT,
  conversation: TEXT,
  position: { must: 'a whole number', holds: (value) => Number.isSafeInteger(value) },
  metadata: {
    must: 'an object',
    holds: (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
  }
}
