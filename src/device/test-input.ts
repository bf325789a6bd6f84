import { Fault } from '../contract/faults.ts'
import type { Metadata } from '../contract/snapshot.ts'
import { type Fields, fieldsOf } from '../memory/fields.ts'
import { isoTime } from '../memory/iso-time.ts'
import type { Json, JsonObject } from '../snapshot/canonical-json.ts'
import { parseJson } from '../snapshot/parse-json.ts'
import type { StoreInput } from './types.ts'

/** One thing to remember, tested: what is left to do cannot fail but for its size. */
export type Tested = { text: string; metadata: Metadata | undefined; fields: Fields }

/**
 * Tests what a program gave to be remembered.
 * @throws Fault `invalid_input` naming the field, `malformed_json` for metadata that JSON cannot hold.
 */
export function testInput(input: StoreInput): Tested {
  const { text, metadata, at, speaker, conversation, position } = input
  const fields: JsonObject = {}
  for (const [name, value] of Object.entries({ text, at, speaker, conversation, position })) {
    if (value === undefined) continue
    if (typeof value === 'string' && !value.isWellFormed()) {
      throw new Fault('invalid_input', `\`${name}\` has a lone surrogate, which UTF-8 cannot hold`)
    }
    fields[name] = value
  }
  const tested = testFields({ ...fields, metadata: testMetadata(metadata) }, 'text')
  if (typeof tested === 'string') throw new Fault('invalid_input', tested)
  return tested
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
    const rule = RULES[name]
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

/** Metadata as its JSON says it: what a program's object holds beyond that (dates, functions, cycles) shows here. */
function testMetadata(metadata: Metadata | undefined): Json | undefined {
  if (metadata === undefined) return undefined
  const parsed = parseJson(Buffer.from(jsonText(metadata)))
  if ('fault' in parsed) throw new Fault('malformed_json', `metadata ${parsed.fault}`)
  return parsed.value
}

function jsonText(metadata: Metadata): string {
  try {
    return JSON.stringify(metadata, (_key, value) =>
      typeof value === 'number' && !Number.isFinite(value) ? refuse() : value
    )
  } catch (cause) {
    throw new Fault(
      'malformed_json',
      'metadata cannot be written as JSON: it has a cycle, is nested too deep, or holds what JSON cannot',
      {
        cause
      }
    )
  }
}

function refuse(): never {
  throw new RangeError('not finite')
}
