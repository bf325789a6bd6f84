import fc from 'fast-check'
import { CALL_SHAPES } from '../../src/contract/endpoints/call-row.ts'
import type { JsonSchema } from '../../src/contract/endpoints/json-schema.ts'

/**
 * Generates values for a schema of a `CallRow`. Most of their parts are valid; some are invalid, additional or missing.
 */
export function nearlyFitting(schema: JsonSchema): fc.Arbitrary<unknown> {
  return fc.oneof({ arbitrary: fitting(schema), weight: 25 }, { arbitrary: ODD, weight: 1 })
}

const TIME = '2026-02-28T23:59:59.999Z'
const GUID = '018f3a00-0000-7000-8000-00000000abcd'

const STRINGS = [
  TIME,
  GUID,
  GUID.toUpperCase(),
  ...['snp_', 'mem_', ''].map((kind) => kind + 'a'.repeat(32)),
  'a'.repeat(64)
]

/** Valid values, and each with a part that is missing, additional or in another case. */
const STRINGS_AND_NEAR = STRINGS.flatMap((text) => [
  text,
  text.slice(1),
  `${text}\n`,
  `${text}0`,
  text.toUpperCase(),
  ` ${text}`
])

const MONTH_13 = '2026-13-01T00:00:00.000Z'

/** JSON values that no schema accepts. `1e999` is parsed as infinity. */
const ODD = fc.oneof(
  fc.constantFrom<unknown>(null, true, '', 'x', MONTH_13, 'urn:uuid:018f3a00-0000-7000-8000-00000000abcd', '\ud800'),
  fc.constantFrom<unknown>(
    -1,
    0.5,
    1.5,
    2 ** 53,
    -(2 ** 53),
    Number.POSITIVE_INFINITY,
    [],
    {},
    [0, 1],
    [0, 1, 2],
    [1, 0]
  ),
  fc.constantFrom(...STRINGS_AND_NEAR),
  fc.jsonValue({ maxDepth: 1 })
)

function fitting(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { $ref, anyOf, const: constant, enum: choices, type } = schema
  if (typeof $ref === 'string') return nearlyFitting(CALL_SHAPES[$ref.slice('#/$defs/'.length)] as JsonSchema)
  if (constant !== undefined) return fc.constant(constant)
  if (Array.isArray(choices)) return fc.constantFrom(...choices)
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map(nearlyFitting))
  if (Array.isArray(type)) return fc.oneof(...type.map((one) => fitting({ ...schema, type: one })))
  const make = typeof type === 'string' ? BY_TYPE[type] : undefined
  return make === undefined ? fc.jsonValue() : make(schema)
}

const BY_TYPE: Readonly<Record<string, (schema: JsonSchema) => fc.Arbitrary<unknown>>> = {
  null: () => fc.constant(null),
  boolean: () => fc.boolean(),
  string: fittingString,
  integer: ({ minimum, maximum }) =>
    fc.maxSafeInteger().filter((value) => value >= Number(minimum) && value <= Number(maximum)),
  number: () => fc.double({ min: 0, max: 1, noNaN: true }),
  array: fittingArray,
  object: fittingObject
}

function fittingString({ pattern }: JsonSchema): fc.Arbitrary<unknown> {
  if (typeof pattern !== 'string') return fc.string()
  const texts = STRINGS.filter((text) => new RegExp(pattern).test(text))
  if (texts.length === 0) throw new Error(`no sample fits ${pattern}`)
  return fc.constantFrom(...texts)
}

function fittingArray({ prefixItems, items }: JsonSchema): fc.Arbitrary<unknown> {
  if (Array.isArray(prefixItems)) return fc.tuple(...prefixItems.map(nearlyFitting))
  return fc.array(nearlyFitting((items ?? {}) as JsonSchema), { maxLength: 3 })
}

/** Sometimes omits a member, and sometimes adds others. */
function fittingObject({ properties = {}, required = [], additionalProperties }: JsonSchema): fc.Arbitrary<unknown> {
  const members = Object.entries(properties as Record<string, JsonSchema>)
  const values = Object.fromEntries(members.map(([name, schema]) => [name, nearlyFitting(schema)]))
  const names = required as string[]
  const whole = fc.record(values, { requiredKeys: names })
  const others = fc.dictionary(
    fc.constantFrom('odd', 'constructor', '\ud800'),
    nearlyFitting((additionalProperties ?? {}) as JsonSchema)
  )
  const lacking = fc.constantFrom(undefined, ...names)
  const kept = fc.tuple(fc.nat(24), lacking).map(([chance, name]) => (chance === 0 ? name : undefined))
  return fc.tuple(whole, others, kept).map(([value, more, left]) => {
    const entries = Object.entries({ ...more, ...value }).filter(([name]) => name !== left)
    return Object.fromEntries(entries)
  })
}
