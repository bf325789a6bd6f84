import { Fault } from '../../src/contract/faults.ts'
import { GROUPS, MEMORY_KINDS } from '../../src/contract/groups.ts'

/** A rule for a given value: its description, its check, and an optional hint. */
export type GivenRule = { must: string; holds: (value: unknown) => boolean; hint?: string }

/** Rules by option name. */
export type GivenRules = Readonly<Record<string, GivenRule>>

const isText = (value: unknown): value is string => typeof value === 'string'

/** For a value that its consumer validates. */
export const ANY: GivenRule = { must: 'given', holds: () => true }

export const TEXT: GivenRule = { must: 'a text', holds: isText }

export const PATH: GivenRule = {
  must: 'a path: a non-empty text without NUL',
  holds: isPath,
  hint: 'convert a URL to a path with fileURLToPath of node:url'
}

export const PATHS: GivenRule = makeListRule('paths', isPath)

export const IDS: GivenRule = { ...makeListRule('ids', isText), hint: 'pass a single id as a list: [id]' }

export const TEXTS: GivenRule = makeListRule('texts', isText)

export const COUNT: GivenRule = {
  must: 'a whole number of at least 0',
  holds: (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

export const FLAG: GivenRule = { must: 'true or false', holds: (value) => typeof value === 'boolean' }

export const WHOLE: GivenRule = { must: 'a whole number', holds: Number.isSafeInteger }

export const WAIT: GivenRule = {
  must: 'a number of milliseconds of at least 0',
  holds: (value) => typeof value === 'number' && value >= 0
}

/** Its reader validates that it is a time. */
export const TIME: GivenRule = {
  must: 'a time as a text',
  holds: isText,
  hint: 'use a time such as 2026-01-31T18:30:00.000Z; toISOString() of a date returns one'
}

export const FORM: GivenRule = { must: "'jsonl' or 'json'", holds: (value) => value === 'jsonl' || value === 'json' }

export const GROUP_LIST: GivenRule = makeListRule(GROUPS.join(', '), (value) => GROUPS.some((group) => group === value))

export const KIND: GivenRule = {
  must: MEMORY_KINDS.join(', '),
  holds: (value) => MEMORY_KINDS.some((kind) => kind === value)
}

export const FUNCTION: GivenRule = { must: 'a function', holds: (value) => typeof value === 'function' }

export const SIGNAL: GivenRule = { must: 'an AbortSignal', holds: (value) => value instanceof AbortSignal }

/** The chunks are validated as they arrive. */
export const STREAM: GivenRule = {
  must: 'an async iterable of bytes or texts',
  holds: (value) => isObject(value) && Symbol.asyncIterator in value,
  hint: 'createReadStream of node:fs returns one'
}

function makeListRule(what: string, holds: (value: unknown) => boolean): GivenRule {
  return { must: `a list of ${what}`, holds: (value) => Array.isArray(value) && value.every(holds) }
}

function isPath(value: unknown): boolean {
  return isText(value) && value !== '' && !value.includes('\0')
}

/**
 * Returns a given value of a call if it matches its rule.
 *
 * @throws Fault `usage` with the expected kind of value.
 */
export function testGiven<Given>(
  call: string,
  name: string,
  { given, rule }: { given: Given; rule: GivenRule }
): Given {
  if (rule.holds(given)) return given
  throw new Fault('usage', `\`${name}\` of ${call} must be ${rule.must}, not ${inWords(given)}`, { hint: rule.hint })
}

/**
 * Returns the given options of a call if they match the rules. An undefined option counts as absent.
 *
 * @throws Fault `usage` for an unknown option or one that does not match its rule.
 */
export function testOptions<Options>(call: string, options: Options, rules: GivenRules): Options {
  if (options === undefined) return options
  const names = Object.keys(rules).join(', ')
  if (!isObject(options) || Array.isArray(options))
    throw new Fault('usage', `the options of ${call} must be an object, not ${inWords(options)}`, {
      hint: `${call} takes ${names}`
    })
  for (const [name, given] of Object.entries(options)) {
    if (given === undefined) continue
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    if (rule === undefined)
      throw new Fault('usage', `${call} has no option \`${name}\``, { hint: `${call} takes ${names}` })
    testGiven(call, name, { given, rule })
  }
  return options
}

/** Reports whether a value is an object. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Describes a value briefly: a short text or number as it is, any other value by its type. */
function inWords(value: unknown): string {
  if (isText(value)) return value.length > TEXT_SHOWN_MAX ? 'a long text' : JSON.stringify(value)
  if (Array.isArray(value)) return 'this list'
  if (isObject(value)) return `an object (${Object.prototype.toString.call(value).slice(8, -1)})`
  return typeof value === 'function' || typeof value === 'symbol' ? `a ${typeof value}` : String(value)
}

/** In characters. */
const TEXT_SHOWN_MAX = 60
