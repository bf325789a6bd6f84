import { parseArgs } from 'node:util'
import { randomNumbers } from '../../setup/random-numbers.mjs'

/** Exit code of a script that cannot run here and has printed the reason. */
const SKIPPED = 77

/** Exit code of a script that was called with wrong options. */
const USAGE = 2

/**
 * Factor of all time limits. They apply to a script started by hand on an idle machine; as a test, they only end what
 * hangs, however busy the machine is.
 */
export const PATIENCE = process.env.VITEST === undefined ? 1 : 30

/**
 * Parses `--count N`, `--seed N` and `--only WORD` of a script with its default count. `parts` are the words of
 * `--only`, if they are few; another word ends the script with 2.
 */
export function options(count, parts) {
  const { values } = parseArgs({
    options: { count: { type: 'string' }, seed: { type: 'string' }, only: { type: 'string' } }
  })
  const unknown = values.only?.split(',').find((word) => parts?.includes(word) === false)
  if (unknown !== undefined) {
    process.stderr.write(`--only ${unknown}: choose one of ${parts.join(', ')}\n`)
    process.exit(USAGE)
  }
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  return { count: Number(values.count ?? count), seed, only: values.only, random: randomNumbers(seed) }
}

/** Ends a script that lacks a requirement. */
export function skip(reason) {
  process.stdout.write(`skipped: ${reason}\n`)
  process.exit(SKIPPED)
}

/**
 * Creates the report of a script. `row` counts cases under a name, `bad` records a failed case with its details, and
 * `finish` prints all and sets the exit code.
 */
export function createReport(title) {
  const rows = new Map()
  const bad = []
  const started = performance.now()
  const rowOf = (name) => {
    if (!rows.has(name)) rows.set(name, { cases: 0, bad: 0, note: '' })
    return rows.get(name)
  }
  return {
    /** Counts one case. `problem` describes a failure, or is undefined. */
    case(name, problem) {
      const row = rowOf(name)
      row.cases++
      if (problem === undefined) return
      row.bad++
      bad.push(`${name}: ${problem}`)
    },
    note(name, text) {
      rowOf(name).note = text
    },
    finish() {
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      process.stdout.write(`${title}: ${bad.length === 0 ? 'holds' : 'DOES NOT HOLD'} (${seconds} s)\n`)
      const width = Math.max(...[...rows.keys()].map((name) => name.length))
      for (const [name, row] of rows) {
        const line = `  ${name.padEnd(width)}  ${String(row.cases).padStart(6)} cases  ${String(row.bad).padStart(4)} bad  ${row.note}`
        process.stdout.write(`${line.trimEnd()}\n`)
      }
      for (const text of bad.slice(0, SHOWN_MAX)) process.stdout.write(`BAD  ${text}\n`)
      if (bad.length > SHOWN_MAX) process.stdout.write(`and ${bad.length - SHOWN_MAX} more\n`)
      process.exitCode = bad.length === 0 ? 0 : 1
    }
  }
}

const SHOWN_MAX = 40

/** Returns a function that takes at most `count` of some things, beginning behind those of the last call. */
export function takeInTurn(count) {
  let turn = 0
  return (all) => Array.from({ length: Math.min(count, all.length) }, () => all[turn++ % all.length])
}
