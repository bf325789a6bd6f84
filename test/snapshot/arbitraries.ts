import fc from 'fast-check'
import type { Json, JsonObject } from '../../src/snapshot/json/json.ts'
import { serializeRecord } from '../../src/snapshot/record/compute-check.ts'
import { forgetLine, memory, memoryLine } from './builders.ts'

/** Generators for fast-check: JSON with all its oddities, and lines of snapshots. */

/** Returns how many times a property is tested; ten times as many in deep runs. */
export function runs(usual: number): { numRuns: number } {
  return { numRuns: process.env.SLOW ? usual * 10 : Math.ceil(usual / 8) }
}

/** Any double that JSON can represent, without negative zero. */
export const exactNumber = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0 || 0)

const ODD_KEYS = [
  '',
  'a',
  'constructor',
  'toString',
  'hasOwnProperty',
  '10',
  '9',
  '\u0001',
  '\n',
  '"',
  '\\',
  'é',
  '😀',
  '\uffff',
  'check',
  'id'
]

const key = fc
  .oneof(fc.constantFrom(...ODD_KEYS), fc.string({ unit: 'binary', maxLength: 4 }))
  .filter((text) => text !== '__proto__')

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('\u007f', '\u2028', '\ud83d\ude00', '\b\f\t')
)

const leaf: fc.Arbitrary<Json> = fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), exactNumber, text)

/** Any JSON value, a few levels deep, with keys that often cause errors. */
export const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 5, noNullPrototype: true })
  )
})).value

const object = fc.dictionary(key, json, { maxKeys: 3, noNullPrototype: true })

/** A few of each, so that equal ids, equal lines and forgotten memories occur. */
const time = fc.constantFrom('2026-01-02T03:04:05.000Z', '2025-12-31T23:59:59.999Z', '0000-01-01T00:00:00.000Z')
const parts = fc.record(
  { text: fc.constantFrom('a', 'b', 'c', 'd\u0000😀'), speaker: fc.constantFrom('Ada', 'Alan') },
  { requiredKeys: ['text'] }
)

const memoryOfFew = fc
  .tuple(
    parts,
    fc.record(
      {
        at: time,
        undated: fc.constant<true>(true),
        position: fc.integer({ min: -2, max: 2 }),
        extractor: fc.nat(2),
        metadata: object
      },
      { requiredKeys: [] }
    )
  )
  .map(([identity, more]) => memoryLine({ ...identity, ...more }))

const forgetOfFew = fc
  .tuple(parts, fc.record({ at: time, reason: fc.constantFrom('said so', 'asked') }, { requiredKeys: [] }))
  .map(([target, more]) => forgetLine(target, more))

const target = fc.oneof(
  parts.map((target) => memory(target).id as string),
  fc.array(
    parts.map((target) => memory(target).id as string),
    { maxLength: 2 }
  ),
  json
)

const unknownLine = fc
  .tuple(
    fc.constantFrom('note', 'link'),
    fc.record({ at: fc.oneof(time, json), position: json, id: json, target, body: json }, { requiredKeys: [] })
  )
  .map(([type, more]) => serializeRecord({ ...(more as JsonObject), type }))

/** Valid lines of every kind except headers, from few values, so that they collide. */
const line = fc.oneof(
  { weight: 4, arbitrary: memoryOfFew },
  { weight: 1, arbitrary: forgetOfFew },
  { weight: 1, arbitrary: unknownLine }
)

export const lines = fc.array(line, { maxLength: 12 })
