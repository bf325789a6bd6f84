import { Fault } from '../../contract/faults.ts'

/** Returns an object with only the named fields, in the given order. An absent field is null. */
export function pickFields(
  value: Readonly<Record<string, unknown>>,
  fields: readonly string[]
): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field, Object.hasOwn(value, field) ? value[field] : null]))
}

/** Throws a usage fault that lists the known fields if a field is not one of them. */
export function checkFields(fields: readonly string[], known: Iterable<string>): void {
  const names = [...new Set(known)]
  const strange = fields.find((field) => !names.includes(field))
  if (strange === undefined) return
  throw new Fault('usage', `unknown field '${strange}' in --fields`, {
    hint: `available fields: ${names.join(',')}`
  })
}
