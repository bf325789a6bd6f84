import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { verifySnapshot } from '../../../src/snapshot/verify-snapshot.ts'
import { file, memoryLine, sourceOf, united } from '../../snapshot/builders.ts'
import { ended, ensureBuilt, PROGRAM } from '../built-program.ts'
import { ACTIVE, CONNECTION_ID } from '../scripted-service.ts'
import { caseHomes } from './case-home.ts'
import type { Surroundings } from './kinds.ts'
import { CHAT_ID, type SampleService, startSampleService } from './sample-service.ts'

const ROWS = 3000
/** The number of memories of 4 KiB that far exceed the size of pipes and buffers. */
const LARGE = 3000

const homes = caseHomes()
let service: SampleService
let long: Buffer
let large: Buffer

beforeAll(async () => {
  ensureBuilt()
  service = await startSampleService({ rows: ROWS })
  long = snapshotOf(ROWS, 100)
  large = snapshotOf(LARGE, 4000)
})
afterAll(async () => {
  homes.remove()
  await service.close()
})

function snapshotOf(memories: number, characters: number): Buffer {
  const lines = Array.from({ length: memories }, (_, n) => memoryLine({ text: `${n} ${'x'.repeat(characters)}` }))
  return united([file(...lines)])
}

function surroundings(environment: Record<string, string> = {}): Surroundings {
  return homes.fresh({ MEMCTL_SERVER: service.origin, MEMCTL_API_KEY: 'mk_test', ...environment })
}

test.each([
  ['collections list'],
  ['collections list --json'],
  ['keys list'],
  ['connections list'],
  [`connections runs ${CONNECTION_ID} --limit 1000`],
  [`connections items ${CONNECTION_ID} --limit ${ROWS}`],
  [`connections items ${CONNECTION_ID} --limit ${ROWS} --jsonl`],
  [`connections folders ${CONNECTION_ID}`],
  [`connections channels ${CHAT_ID}`],
  ['memories search x --limit 1000'],
  ['memories search x --json'],
  ['api GET /v1/collections'],
  ['device list --snapshot long'],
  ['device list --snapshot long --json'],
  ['device list --snapshot long --jsonl'],
  ['device search 7 --limit 1000 --snapshot long'],
  ['device diff long a.mem.jsonl'],
  ['device merge long a.mem.jsonl -o -'],
  ['help man'],
  ['config list'],
  ['doctor --device']
])('memctl %s | head -1 ends quietly', async (line) => {
  const { stdout, stderr } = await readFirstLine(line, surroundings())
  expect(stderr.replace(/^(collection|snapshot): .*\n/gm, '')).toBe('exit 0\n')
  expect(stdout).toMatch(/^.+\n?$/)
})

test.each(['', ' --jsonl'])(
  'ends a watch%s quietly at the first change after its reader has closed the pipe',
  async (form) => {
    let items = 0
    const changing = await startSampleService({
      answers: { 'GET /v1/connectors/*': () => ({ ...ACTIVE, items_synced: ++items }) }
    })
    onTestFinished(() => changing.close())
    const place = surroundings({ MEMCTL_SERVER: changing.origin })
    const { stdout, stderr } = await readFirstLine(`connections show ${CONNECTION_ID} --watch${form}`, place)
    expect(stderr).toBe('exit 0\n')
    expect(stdout).toMatch(/^.+\n$/)
    expect(items).toBeGreaterThan(1)
  }
)

/** Runs a command whose output goes to `head -1`; its exit code is the last line of `stderr`. */
async function readFirstLine(line: string, { home, folder, environment }: Surroundings) {
  writeFileSync(join(folder, 'long'), long)
  const pipe = `{ "$@"; echo "exit $?" >&2; } | head -1`
  const command = ['-c', pipe, 'sh', process.execPath, PROGRAM, ...line.split(' ')]
  const { PATH } = process.env
  const child = spawn('sh', command, { cwd: folder, env: { PATH, HOME: home, ...environment }, stdio: 'pipe' })
  child.stdin.end()
  return await ended(child)
}

test.each([['device export -o -'], ['api POST /v1/device-memory/snapshot/export']])(
  'writes all 12 MB of memctl %s to a slow reader',
  async (line) => {
    expect(large.length).toBeGreaterThan(12_000_000)
    const end = { type: 'end', records: LARGE, root_hash: verifySnapshot(sourceOf(large)).rootHash }
    const sent = `${large.toString()}${JSON.stringify(end)}\n`
    const far = await startSampleService({ answers: { 'POST /v1/device-memory/snapshot/export': () => sent } })
    onTestFinished(() => far.close())
    const { home, folder, environment } = surroundings({ MEMCTL_SERVER: far.origin })
    const command = [PROGRAM, ...line.split(' ')]
    const { PATH } = process.env
    const child = spawn(process.execPath, command, { cwd: folder, env: { PATH, HOME: home, ...environment } })
    child.stdin.end()
    const closed = once(child, 'close')
    const came = await slowlyHashed(child.stdout)
    expect(await closed).toEqual([0, null])
    expect(came).toBe(hashOf(line.startsWith('api') ? sent : large))
  }
)

function hashOf(bytes: string | Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Hashes a stream while reading slowly, so that the writer has to wait. */
async function slowlyHashed(stream: Readable): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of stream) {
    hash.update(chunk)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return hash.digest('hex')
}
