import { Fault } from '../../contract/faults.ts'

/** The object with the named fields only, in the order they were named. A known field that is absent is null. */
export function pickFields(
  value: Readonly<Record<string, unknown>>,
  fields: readonly string[]
): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field, Object.hasOwn(value, field) ? value[field] : null]))
}

/** Throws a usage fault that lists what there is, when a field is none of the known ones. */
export function checkFields(fields: readonly string[], known: Iterable<string>): void {
  const names = [...new Set(known)]
  const strange = fields.find((field) => !names.includes(field))
  if (strange === undefined) return
  throw new Fault('usage', `unknown field '${strange}' in --fields`, {
    hint: `available fields: ${names.join(',')}`
  })
}
