import { Fault } from '../../../src/contract/faults.ts'

/**
 * The fields of a form as a page sends it (`application/x-www-form-urlencoded`), by name.
 *
 * @throws Fault `invalid_input` where a field comes twice or the text is not UTF-8.
 */
export function parseForm(bytes: Uint8Array): Record<string, string> {
  const fields = [...new URLSearchParams(decoded(bytes))]
  const names = fields.map(([name]) => name)
  const repeated = names.find((name, at) => names.indexOf(name) !== at)
  if (repeated !== undefined) throw unsound(`has a field twice: ${JSON.stringify(repeated.slice(0, 100))}`)
  // As own members, whatever they are called.
  return Object.fromEntries(fields)
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw unsound('is not UTF-8')
  }
}

function unsound(why: string): Fault {
  return new Fault('invalid_input', `the form ${why}`, { hint: 'send it from the page that shows it' })
}
