import { Fault, type InputFault } from '../../../src/contract/faults.ts'

/** A schema, as far as it is used here. */
export type Schema = { safeParse(value: unknown): Parsed }

type Parsed = { success: true; data: unknown } | { success: false; error: { issues: readonly Issue[] } }

type Issue = { code: string; path: readonly PropertyKey[]; message: string; keys?: readonly string[] }

/** Of many faults, so many are named. */
const ERRORS_MAX = 20
const NAME_LENGTH_MAX = 100

/**
 * A value that fits its schema, defaults filled in.
 *
 * @throws Fault `invalid_input` with what is wrong by path; where all of it is within a snapshot, `invalid_snapshot`.
 */
export function validateInput(schema: Schema, value: unknown, what: string): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.flatMap(inputFaults).slice(0, ERRORS_MAX)
  if (!errors.every(({ path }) => path.startsWith('snapshot.'))) {
    throw new Fault('invalid_input', `${what} is not what is taken here: ${inWords(errors)}`, {
      errors,
      hint: SEE_DOCS
    })
  }
  throw new Fault('invalid_snapshot', `the snapshot has no sound header: ${inWords(errors)}`, {
    errors,
    hint: 'memctl device verify'
  })
}

/** @throws Fault `invalid_input` where a query has a parameter twice or one that the row does not have. */
export function validateQuery(schema: Schema | undefined, search: URLSearchParams): unknown {
  const names = [...search.keys()]
  const repeated = names.filter((name, at) => names.indexOf(name) !== at)
  const unwanted = schema ? repeated : names
  if (unwanted.length > 0) {
    const why = schema ? 'is given twice' : 'is not a parameter here'
    const errors = [...new Set(unwanted)].slice(0, ERRORS_MAX).map((name) => ({ path: short(name), message: why }))
    throw new Fault('invalid_input', `the query is not what is taken here: ${inWords(errors)}`, {
      errors,
      hint: SEE_DOCS
    })
  }
  return schema && validateInput(schema, Object.fromEntries(search), 'the query')
}

const SEE_DOCS = 'see /docs for what it takes'

/** One for each thing that is wrong: a member that nobody knows is a fault of its own. */
function inputFaults({ code, path, message, keys }: Issue): InputFault[] {
  if (code !== 'unrecognized_keys' || !keys) return [{ path: pathText(path), message }]
  return keys.map((key) => ({ path: pathText([...path, key]), message: 'is not a member here' }))
}

/** As in `grants[0].permission`. */
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
