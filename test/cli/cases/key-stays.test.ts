import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { file } from '../../snapshot/builders.ts'
import { ensureBuilt } from '../built-program.ts'
import { memoryFiles } from '../memory-files.ts'
import { type Run, runCli } from '../run-cli.ts'
import { CONNECTION_ID } from '../scripted-service.ts'
import { caseHomes } from './case-home.ts'
import { type Outcome, runIn, type Surroundings } from './kinds.ts'
import { type SampleService, startSampleService } from './sample-service.ts'

/**
 * Other people write project files, so the server of a project file only receives a key that is stored for its origin.
 */

const KEY = 'mk_secret'
const homes = caseHomes()
let foreign: SampleService

beforeAll(async () => {
  ensureBuilt()
  foreign = await startSampleService()
})
beforeEach(() => void foreign.seen.splice(0))
afterAll(async () => {
  homes.remove()
  await foreign.close()
})

/** Creates a folder below one whose project file names the foreign server. */
function project(environment: Record<string, string>): Surroundings {
  const place = homes.fresh(environment)
  writeFileSync(join(place.folder, 'memctl.json'), JSON.stringify({ server: foreign.origin }))
  const folder = join(place.folder, 'below')
  mkdirSync(folder)
  return { ...place, folder }
}

function run(words: readonly string[], place: Surroundings): Promise<Outcome> {
  return runIn('null', { words }, place)
}

/** Returns the keys in all requests that the foreign server received. */
const keysSeen = () => foreign.seen.map(({ authorization }) => authorization)

test.each([
  ['collections list'],
  ['collections show'],
  ['collections create mine'],
  ['collections restore'],
  ['keys list'],
  ['providers'],
  ['connect mailbox'],
  ['connections list'],
  [`connections show ${CONNECTION_ID}`],
  [`connections sync ${CONNECTION_ID}`],
  ['connections wait --for synced'],
  [`connections disconnect ${CONNECTION_ID} --yes`],
  ['memories add text'],
  ['memories search text'],
  ['device export'],
  ['device import'],
  ['api GET /v1/collections'],
  ['doctor']
])('memctl %s sends requests to the server of a project file without a key, and none if a key is set', async (line) => {
  await runHere(line.split(' '))
  expect(keysSeen().length).toBeGreaterThan(0)
  const { code, stderr } = await runHere(line.split(' '), { MEMCTL_API_KEY: KEY })
  expect(keysSeen().filter((key) => key !== undefined)).toEqual([])
  expect(code).toBe(line === 'doctor' ? 1 : 4)
  expect(stderr).not.toContain(KEY)
})

/** Runs a command in this process, in a folder below one whose project file names the foreign server. */
function runHere(words: readonly string[], environment: Record<string, string> = {}): Promise<Run> {
  const files = memoryFiles()
  files.put('/project/memctl.json', JSON.stringify({ server: foreign.origin }))
  files.put('/project/below/a.mem.jsonl', file())
  return runCli(words, {
    files,
    current: '/project/below',
    environment: { ...environment, MEMCTL_SNAPSHOT: '/project/below/a.mem.jsonl' },
    fetch: (request) => fetch(request),
    quickTime: true
  })
}

test.each([
  ['MEMCTL_API_KEY', KEY],
  ['MEMCTL_API_KEY_FILE', 'key.txt'],
  ['MEMCTL_API_KEY_COMMAND', `echo ${KEY}`]
])('sends the key of %s only to a server that the user names', async (variable, value) => {
  const place = project({ [variable]: value })
  writeFileSync(join(place.folder, 'key.txt'), KEY)
  expect(await run(['collections', 'list'], place)).toMatchObject({ stderr: expect.stringContaining('is not sent to') })
  expect(keysSeen()).toEqual([])
  await run(['collections', 'list', '--server', foreign.origin], place)
  expect(keysSeen()).toEqual([`Bearer ${KEY}`])
})

test('does not send a key that is stored for another server', async () => {
  const own = await startSampleService()
  onTestFinished(() => own.close())
  const place = project({})
  writeFileSync(join(place.folder, 'key.txt'), KEY)
  const login = ['auth', 'login', '--key-file', 'key.txt', '--server', own.origin]
  expect(await run(login, place)).toMatchObject({ code: 0 })
  await run(['collections', 'list'], place)
  expect(keysSeen()).toEqual([undefined])
})

test('sends no key to the target of a redirect', async () => {
  const sending = createServer((_, response) => {
    response.writeHead(307, { location: `${foreign.origin}/v1/collections` }).end()
  }).listen(0, '127.0.0.1')
  await once(sending, 'listening')
  onTestFinished(() => void sending.close())
  const { port } = sending.address() as AddressInfo
  const words = ['collections', 'list', '--server', `http://127.0.0.1:${port}`]
  expect(await run(words, homes.fresh({ MEMCTL_API_KEY: KEY }))).toMatchObject({ code: 7 })
  expect(foreign.seen).toEqual([])
})
