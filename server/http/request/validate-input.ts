import { Fault, type InputFault } from '../../../src/contract/faults.ts'

/** The part of a schema that is used here. */
export type Schema = { safeParse(value: unknown): Parsed }

type Parsed = { success: true; data: unknown } | { success: false; error: { issues: readonly Issue[] } }

type Issue = { code: string; path: readonly PropertyKey[]; message: string; keys?: readonly string[] }

/** The maximum number of errors in a reply. */
const ERRORS_MAX = 20
const NAME_LENGTH_MAX = 100

/**
 * Validates a value and applies the defaults of its schema.
 *
 * @throws Fault `invalid_input` with the errors by path, or `invalid_snapshot` if all errors are inside a snapshot.
 */
export function validateInput(schema: Schema, value: unknown, what: string): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.flatMap(inputFaults).slice(0, ERRORS_MAX)
  if (!errors.every(({ path }) => path.startsWith('snapshot.'))) {
    throw new Fault('invalid_input', `${what} is invalid: ${inWords(errors)}`, {
      errors,
      hint: SEE_DOCS
    })
  }
  throw new Fault('invalid_snapshot', `the snapshot header is invalid: ${inWords(errors)}`, {
    errors,
    hint: 'memctl device verify'
  })
}

/** @throws Fault `invalid_input` if a query parameter is repeated or unknown. */
export function validateQuery(schema: Schema | undefined, search: URLSearchParams): unknown {
  const names = [...search.keys()]
  const repeated = names.filter((name, at) => names.indexOf(name) !== at)
  const unwanted = schema ? repeated : names
  if (unwanted.length > 0) {
    const why = schema ? 'is repeated; send it once' : 'is not a parameter of this endpoint'
    const errors = [...new Set(unwanted)].slice(0, ERRORS_MAX).map((name) => ({ path: short(name), message: why }))
    throw new Fault('invalid_input', `the query is invalid: ${inWords(errors)}`, {
      errors,
      hint: SEE_DOCS
    })
  }
  return schema && validateInput(schema, Object.fromEntries(search), 'the query')
}

const SEE_DOCS = 'see /docs for the parameters and members of this endpoint'

/** Converts a schema issue to errors, one for each unknown member. */
function inputFaults({ code, path, message, keys }: Issue): InputFault[] {
  if (code !== 'unrecognized_keys' || !keys) return [{ path: pathText(path), message }]
  return keys.map((key) => ({ path: pathText([...path, key]), message: 'is not a member of this object' }))
}

/** Formats a path such as `grants[0].permission`. */
function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${short(String(step))}`))
    .join('')
    .replace(/^\./, '')
}

function short(name: string): string {
  return name.length > NAME_LENGTH_MAX ? `${name.slice(0, NAME_LENGTH_MAX)}…` : name
}

function inWords([first]: readonly InputFault[]): string {
  if (!first) return 'unknown'
  return first.path === '' ? first.message : `\`${first.path}\`: ${first.message}`
}
