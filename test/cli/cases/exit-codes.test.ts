import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { FAULTS, type FaultCode } from '../../../src/contract/faults.ts'
import { ensureBuilt } from '../built-program.ts'
import { caseHomes } from './case-home.ts'
import { EXIT_CASES, type ExitCase } from './exit-cases.ts'
import { kindsHere, type Outcome, runIn, type Surroundings, WHY_NO_TERMINAL } from './kinds.ts'
import { startSampleService } from './sample-service.ts'

const homes = caseHomes()
/** Values for the placeholders in braces of a case. */
const known: Record<string, string> = {}
/** Requests to the server of this build. */
let own: Surroundings

beforeAll(async () => {
  ensureBuilt()
  own = homes.fresh({})
  const begun = await asOwner(['server', 'start', '--detach', '--port', '0', '--json'])
  expect(begun).toMatchObject({ code: 0 })
  const facts = JSON.parse(begun.stdout)
  own = { ...own, environment: { ...own.environment, MEMCTL_SERVER: facts.origin } }
  const [admin] = JSON.parse((await asOwner(['keys', 'list', '--json'])).stdout)
  const plain = JSON.parse((await asOwner(['keys', 'create', 'plain', '--json'])).stdout)
  const empty = JSON.parse((await asOwner(['collections', 'create', 'empty', '--json'])).stdout)
  const broken = join(own.folder, 'broken.mjs')
  writeFileSync(broken, 'Array.prototype.toSorted = () => { throw new TypeError("broken on purpose") }\n')
  Object.assign(known, {
    origin: facts.origin,
    port: new URL(facts.origin).port,
    data: facts.data_dir,
    'admin id': admin.id,
    'empty id': empty.id,
    'plain key': plain.key,
    nowhere: await closedOrigin(),
    broken: pathToFileURL(broken).href
  })
})

afterAll(async () => {
  try {
    expect(await asOwner(['server', 'stop'])).toMatchObject({ code: 0 })
  } finally {
    homes.remove()
  }
})

const CASES = Object.entries(EXIT_CASES).flatMap(([code, cases]) =>
  cases.map((row) => [FAULTS[code as FaultCode].exit, code as FaultCode, row.words.join(' '), row] as const)
)

test.for(CASES)('exits %i with the code %s: memctl %s', async ([exit, code, , row], { skip }) => {
  skip(row.asked !== undefined && !kindsHere().includes('terminal'), WHY_NO_TERMINAL)
  const { code: ended, stdout, stderr } = await outcomeOf(row)
  expect(ended).toBe(exit)
  const lines = stripVTControlCharacters(stderr).trimEnd().split('\n')
  const told = JSON.parse(lines.at(-1) ?? '').error
  // A server logs to stderr too, and connect prints the consent URL before it waits.
  if (!['server', 'connect'].includes(row.words[0] ?? '') && row.asked === undefined) expect(lines).toHaveLength(1)
  const { status, retryable } = FAULTS[code]
  expect(told).toMatchObject({ code, exit_code: exit, http_status: status, retryable, message: expect.any(String) })
  expect(stderr).not.toContain('    at ')
  if (row.asked === undefined) expect(`${stdout}${stderr}`).not.toContain('\u001b')
})

test('has a case for every exit code of the table, and for no other', () => {
  const reached = CASES.map(([exit]) => exit)
  expect([...new Set(reached)].toSorted()).toEqual(
    [...new Set(Object.values(FAULTS).map(({ exit }) => exit))].toSorted()
  )
  expect(Object.keys(EXIT_CASES).toSorted()).toEqual(Object.keys(FAULTS).toSorted())
  expect(Object.values(EXIT_CASES).filter((cases) => cases.length === 0)).toEqual([])
})

test('prints the same table in memctl help exit-codes', async () => {
  const { stdout } = await asOwner(['help', 'exit-codes', '--json'])
  const rows: { code: string; exit_code: number }[] = JSON.parse(stdout)
  const told = rows.filter(({ code }) => code !== 'success').map(({ code, exit_code }) => `${code} ${exit_code}`)
  const table = Object.entries(FAULTS).map(([code, { exit }]) => `${code} ${exit}`)
  expect(told.toSorted()).toEqual(table.toSorted())
})

/** Runs a command as the owner of the server. */
function asOwner(words: readonly string[]): Promise<Outcome> {
  return runIn('null', { words }, own)
}

async function outcomeOf(row: ExitCase): Promise<Outcome> {
  const words = [...row.words.map(filled), '--json']
  const place = row.answers === undefined && !row.alone ? { ...own } : homes.fresh({ MEMCTL_API_KEY: 'mk_test' })
  for (const [name, text] of Object.entries(row.files ?? {})) writeFileSync(join(place.folder, name), text)
  const environment = { ...place.environment, ...filledAll(row.environment) }
  if (row.asked !== undefined) {
    const { text: stopAt, types } = row.asked
    return await runIn('terminal', { words, stopAt, types }, { ...place, environment })
  }
  if (row.answers === undefined) return await runIn('null', { words }, { ...place, environment })
  let child: ChildProcess | undefined
  const service = await startSampleService({ answers: row.answers, onAsked: () => row.stop && child?.kill(row.stop) })
  onTestFinished(() => service.close())
  const onStart = (started: ChildProcess): void => {
    child = started
  }
  return await runIn(
    'null',
    { words, onStart },
    { ...place, environment: { MEMCTL_SERVER: service.origin, ...environment } }
  )
}

function filled(word: string): string {
  return word.replace(/\{([\w ]+)\}/g, (_, name: string) => known[name] ?? '')
}

function filledAll(environment: ExitCase['environment'] = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, filled(value)]))
}

/** Returns the origin of a server that has just been closed. */
async function closedOrigin(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}
