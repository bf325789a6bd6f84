import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Checks a snapshot file without the program: computes each line's check from its bytes. Returns the valid records, ids
 * with their counts, forgotten ids, and problems.
 */
export function witness(path) {
  const bytes = readFileSync(path)
  const end = bytes.lastIndexOf(0x0a) + 1
  const lines = bytes.toString('utf8', 0, end).split('\n').slice(0, -1)
  const seen = { records: [], counts: new Map(), forgotten: new Set(), bad: [], tail: bytes.length - end }
  for (const [at, line] of lines.entries()) {
    const record = soundRecord(line)
    if (record === undefined) seen.bad.push(`line ${at + 1} is not sound: ${line.slice(0, 80)}`)
    else take(seen, record)
  }
  // A line that lacks only its LF is still a record.
  const last = seen.tail > 0 ? soundRecord(bytes.toString('utf8', end)) : undefined
  if (last !== undefined) take(seen, last)
  return seen
}

function take(seen, record) {
  seen.records.push(record)
  if (record.type === 'memory') seen.counts.set(record.id, (seen.counts.get(record.id) ?? 0) + 1)
  if (record.type === 'forget') seen.forgotten.add(record.target)
}

function soundRecord(line) {
  const match = /^(.*),"check":"([0-9a-f]{64})"\}$/s.exec(line)
  if (match === null) return undefined
  const hash = createHash('sha256').update(`${match[1]}}`).digest('hex')
  return hash === match[2] ? JSON.parse(line) : undefined
}

/**
 * Describes a folder's entries by kind, size, content hash and, by default, time. Equal descriptions mean that nothing
 * was changed.
 */
export function picture(folder, { times = true } = {}) {
  return readdirSync(folder)
    .sort()
    .map((name) => {
      const path = join(folder, name)
      const facts = lstatSync(path)
      const content = facts.isFile() && facts.size < 1 << 28 ? sha256(readFileSync(path)) : ''
      return `${name} ${facts.mode} ${facts.size} ${times ? facts.mtimeMs : ''} ${content}`
    })
    .join('\n')
}

function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex')
}

/**
 * Returns why the output of a failed command is not a single clear line with an optional hint, or undefined if it is.
 */
export function unclear(stderr) {
  const lines = stderr
    .replace(/^snapshot: .*\n/, '')
    .trimEnd()
    .split('\n')
  const errors = lines.filter((line) => line.startsWith('error: '))
  if (errors.length !== 1) return `not one error line: ${stderr.slice(0, 300)}`
  if (/\n\s+at |a bug in memctl/.test(stderr)) return `a bug or a stack shows: ${stderr.slice(0, 300)}`
  const rest = lines.filter((line) => !/^(error|hint|note|warning|line \d+): /.test(line))
  return rest.length > 0 ? `more is said: ${rest[0].slice(0, 200)}` : undefined
}
