import { Fault } from '../../contract/faults.ts'
import { SETTINGS } from './settings-table.ts'

/** Settings that a file gives, by key. */
export type FileSettings = { path: string; values: Readonly<Record<string, string>> }

/** The name of a project's settings file, looked for in the current folder and those above it. */
export const PROJECT_FILE = 'memctl.json'

/** No settings file is larger. In bytes. */
export const SETTINGS_BYTES_MAX = 1 << 20

/**
 * Understands a settings file's values: known keys, text values that fit. Throws a fault naming file, key and reason,
 * because a setting that is silently ignored is worse than a command that stops.
 */
export function checkSettings(path: string, values: unknown): FileSettings {
  if (values === null || typeof values !== 'object' || Array.isArray(values))
    throw damaged(path, 'it holds no JSON object')
  const known: Record<string, string> = {}
  for (const [key, value] of Object.entries(values)) {
    const row = SETTINGS.find((one) => one.key === key)
    if (row === undefined)
      throw damaged(path, `'${key}' is no setting; settings are: ${SETTINGS.map((one) => one.key).join(', ')}`)
    if (typeof value !== 'string') throw damaged(path, `'${key}' is no text`)
    checkValue(row.check, value, (complaint) => damaged(path, `${key} ${complaint}`))
    known[key] = value
  }
  return { path, values: known }
}

/** Runs a row's check, and makes its complaint, which begins with the value, the fault that the caller builds. */
export function checkValue(check: (value: string) => void, value: string, fault: (complaint: string) => Fault): void {
  try {
    check(value)
  } catch (error) {
    throw fault(`'${withoutPassword(value)}' ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** An address that somebody put a user name and password into is shown without them. */
function withoutPassword(value: string): string {
  return value.replace(/\/\/[^/?#]*@/, '//[secret]@')
}

/** The values of a settings file's text. */
export function parseSettings(path: string, text: string): FileSettings {
  try {
    return checkSettings(path, JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) throw damaged(path, 'it is no JSON', error)
    throw error
  }
}

function damaged(path: string, why: string, cause?: unknown): Fault {
  return new Fault('invalid_input', `settings file ${path}: ${why}`, { hint: `mend or remove ${path}`, cause })
}
