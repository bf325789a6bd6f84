import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { until } from '../setup/until.ts'
import { ended, ensureBuilt, runProgram, start } from './built-program.ts'

const scratch = mkdtempSync(join(tmpdir(), 'memctl-quickstart-test-'))
let home = scratch

beforeAll(ensureBuilt)
beforeEach(() => {
  home = mkdtempSync(join(scratch, 'home-'))
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** Returns the processes whose command lines contain a folder. */
function runningIn(folder: string): string[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'args'], { encoding: 'utf8' })
  return stdout.split('\n').filter((line) => line.includes(folder))
}

/** The lines of the steps, in order. */
const STEPS = [
  /\$ cd \S+/,
  /\$ memctl server start --detach/,
  / {2}ready: http:\/\/127\.0\.0\.1:\d+\n/,
  /\$ memctl connect cloud_drive\n {2}connected account \S+\n.*\$ memctl connections config \S+ --folder /,
  / {2}folders: .*Harbour Lane Studio/,
  /\$ memctl connect team_chat\n {2}connected account \S+\n.*\$ memctl connections config \S+ --channel /,
  /\$ memctl connect mailbox\n {2}connected account ada\.moreau@/,
  /\$ memctl connect notes\n {2}connected account \S+\n/,
  /\$ memctl connections wait --for synced\n {2}cloud_drive +seen \d+ · new \d+.*\n {2}team_chat +seen .*\n {2}mailbox +seen .*\n {2}notes +seen /,
  /\$ memctl device export -o memctl\.mem\.jsonl\n {2}\d+ memories, /,
  /\$ memctl server stop --data-dir server\n {2}stopped: http/,
  /\$ memctl device search 'how long does the battery [^\n]*\n[^$]*61 days/,
  /\$ memctl device search 'what do I do when the plotter [^\n]*\n[^$]*feed the paper by hand/,
  /\$ memctl device search 'when does the alarm code [^\n]*\n[^$]*1 May/,
  /\$ memctl device search 'why did the bracket [^\n]*\n[^$]*lock washers/,
  /To keep a server running/
]

test('prints each step with its result, and leaves nothing running', async () => {
  const told = await runProgram(['quickstart'], home)
  expect(told).toMatchObject({ code: 0, stderr: '' })
  let rest = told.stdout
  for (const step of STEPS) {
    expect(rest).toMatch(step)
    rest = rest.slice(rest.search(step))
  }
  const folder = /\$ cd (\S+)/.exec(told.stdout)?.[1] ?? ''
  expectNothingLeft(folder)
})

/** Repeats with the built program what another test checks in its process. */
async function printsJson(): Promise<void> {
  const { code, stdout, stderr } = await runProgram(['quickstart', '--json'], home)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const { folder, memories, connections, searches } = JSON.parse(stdout)
  expect(memories).toBeGreaterThan(100)
  expect(connections).toHaveLength(4)
  for (const { response } of searches) expect(response.sources.length).toBeGreaterThan(0)
  expectNothingLeft(folder)
}

if (process.env.SLOW) test('prints the result as JSON with --json', printsJson)

/** Checks that a quickstart has left nothing but its folder, and removes that. */
function expectNothingLeft(folder: string): void {
  expect(runningIn(folder)).toEqual([])
  expect(readdirSync(home)).toEqual([])
  rmSync(folder, { recursive: true })
}

/** Starts a quickstart whose server responds, and returns its folder. */
async function underWay() {
  const child = start(['quickstart'], home)
  child.stdin?.end()
  let said = ''
  const ready = new Promise<void>((resolve) =>
    child.stdout?.on('data', (chunk) => {
      said += chunk
      if (said.includes('ready: ')) resolve()
    })
  )
  const over = ended(child)
  await Promise.race([ready, over])
  const folder = /\$ cd (\S+)/.exec(said)?.[1] ?? ''
  expect(folder).toContain('memctl-quickstart-')
  return { child, over, folder }
}

test('Ctrl-C during the run also stops the server', async () => {
  const { child, over, folder } = await underWay()
  child.kill('SIGINT')
  expect(await over).toMatchObject({
    code: 130,
    stderr: expect.stringContaining('cancelled; the temporary server is stopping')
  })
  // The server was told to stop, and may take its time.
  await until(() => runningIn(folder).length === 0)
  rmSync(folder, { recursive: true })
})

test.each(['SIGHUP', 'SIGKILL'] as const)(
  'its server stops by itself after %s, as when the window is closed',
  async (signal) => {
    const { child, over, folder } = await underWay()
    child.kill(signal)
    expect(await over).toMatchObject({ signal })
    await until(() => runningIn(folder).length === 0)
    expect(readFileSync(join(folder, 'server', 'server.log'), 'utf8')).toContain('the server has stopped')
    rmSync(folder, { recursive: true })
  }
)
