import { ARGUMENT_RULES, type Rules } from './argument-rules.ts'
import type { Storage } from './storage.ts'
import { wrapStorage } from './storage-methods.ts'

/**
 * Refuses what one engine would refuse, round or cut, before a statement is sent, so that both keep the same values. The types say
 * most of it; a value that gets here against them is a bug of ours and rejects with a TypeError that names method and value.
 */
export function checkArguments(storage: Storage): Storage {
  return wrapStorage(storage, async (call, method, given) => {
    const rules = ARGUMENT_RULES[method] ?? []
    for (const [at, value] of given.entries()) check(value, rules[at], `${method}(${at})`)
    return await call()
  })
}

/**
 * The general rules: numbers are whole and exact in a `bigint` and in a JavaScript number, and nothing is of a type that a column
 * or JSON cannot hold. `rules` are those of the method besides.
 *
 * @throws TypeError
 */
function check(value: unknown, rules: Rules | undefined, at: string): void {
  if (value === undefined) return
  if (typeof rules === 'function') {
    const wrong = rules(value)
    if (wrong !== undefined) throw refused(at, value, wrong)
  }
  if (typeof value === 'number') {
    checkNumber(value, at)
    return
  }
  if (typeof value === 'string' || typeof value === 'boolean') return
  if (typeof value !== 'object' || value === null) throw refused(at, value, 'expected a value that JSON can hold')
  if (value instanceof Float64Array) {
    for (const [place, number] of value.entries()) checkNumber(number, `${at}[${place}]`)
    return
  }
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return
  for (const [name, member] of Object.entries(value)) check(member, rulesOf(rules, name), `${at}.${name}`)
}

function rulesOf(rules: Rules | undefined, name: string): Rules | undefined {
  if (rules === undefined || typeof rules === 'function') return undefined
  return 'each' in rules ? rules.each : Object.hasOwn(rules.members, name) ? rules.members[name] : undefined
}

function checkNumber(value: number, at: string): void {
  if (!Number.isSafeInteger(value)) throw refused(at, value, 'expected a whole number within ±(2^53 - 1)')
}

/** How much of a refused value is shown, in characters. */
const SHOWN_MAX = 80

function refused(at: string, value: unknown, wrong: string): TypeError {
  const shown = typeof value === 'string' ? JSON.stringify(value.slice(0, SHOWN_MAX)) : String(value)
  return new TypeError(`storage.${at} is ${shown}: ${wrong}`)
}
