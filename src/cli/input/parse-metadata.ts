import { Fault } from '../../contract/faults.ts'
import type { Metadata } from '../../contract/snapshot.ts'
import type { DeviceModule } from '../ports/lazy-modules.ts'

type ParseJson = DeviceModule['parseJson']

/**
 * Merges the values of `--metadata` (or of another flag), each of which is `key=text`, `key:=JSON` or one JSON object.
 * Returns undefined without values. Throws a usage fault for a value of another form and for a duplicate key, and
 * `malformed_json` for invalid JSON.
 */
export function parseMetadata(
  given: readonly string[],
  parseJson: ParseJson,
  flag = '--metadata'
): Metadata | undefined {
  if (given.length === 0) return undefined
  const entries = given.flatMap((text) => parseEntries(text, { parseJson, flag }))
  const keys = new Set<string>()
  for (const [key] of entries) {
    if (keys.has(key)) throw new Fault('usage', `duplicate key '${key}' in ${flag}`, { hint: 'give each key once' })
    if (key === '__proto__') throw new Fault('invalid_input', `invalid key '__proto__' in ${flag}: it cannot be stored`)
    keys.add(key)
  }
  return Object.fromEntries(entries)
}

const HINT = 'write key=text, key:=JSON, or a JSON object'

type Entries = [string, Metadata[string]][]

/** The JSON parser, and the flag that has the value. */
type Reading = { parseJson: ParseJson; flag: string }

function parseEntries(text: string, reading: Reading): Entries {
  if (text.trimStart().startsWith('{')) return Object.entries(jsonValue(text, reading) as Metadata)
  const at = text.indexOf('=')
  if (at < 1) {
    throw new Fault('usage', `invalid ${reading.flag} '${text}': expected a key before =`, { hint: HINT })
  }
  if (text[at - 1] !== ':') return [[text.slice(0, at), text.slice(at + 1)]]
  return [[text.slice(0, at - 1), jsonValue(text.slice(at + 1), reading)]]
}

/** Parses a JSON value. The cast is safe because the parser returns only JSON values. */
function jsonValue(text: string, { parseJson, flag }: Reading): Metadata[string] {
  const parsed = parseJson(text)
  if ('fault' in parsed) throw new Fault('malformed_json', `the value of ${flag} ${parsed.fault}`, { hint: HINT })
  return parsed.value as Metadata[string]
}
