import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { file, memory, memoryLine } from '../../snapshot/builders.ts'
import { ensureBuilt } from '../built-program.ts'
import { CONNECTION_ID } from '../scripted-service.ts'
import { caseHomes } from './case-home.ts'
import { foreignControls, HOSTILE, hostileName } from './hostile-name.ts'
import { kindsHere, type Outcome, runIn, WHY_NO_TERMINAL } from './kinds.ts'
import { type SampleService, startSampleService } from './sample-service.ts'

const homes = caseHomes(hostileName)
let service: SampleService

beforeAll(async () => {
  ensureBuilt()
  service = await startSampleService({ name: hostileName, rows: 2 })
})
afterAll(async () => {
  homes.remove()
  await service.close()
})

/** As long as a file name may be. */
const NAME = HOSTILE.replaceAll('/', '').slice(0, 60)
const SECOND = String(memory({ text: `second${HOSTILE}`, speaker: HOSTILE }).id)

/** Further commands that print names on a terminal, in addition to those of commands.test.ts. */
const CASES: readonly (readonly [code: number, ...words: string[]])[] = [
  [0, 'device', 'show', SECOND, '--snapshot', NAME],
  [0, 'device', 'search', 'second', '--explain', '--snapshot', NAME],
  [0, 'device', 'search', 'second', '--why-not', SECOND, '--snapshot', NAME],
  [0, 'device', 'list', '--snapshot', NAME, '--json'],
  [0, 'device', 'list', '--snapshot', NAME, '--fields', 'text,speaker'],
  [10, 'device', 'verify', '--snapshot', `damaged${NAME}`],
  [0, 'device', 'stats', '--snapshot', NAME],
  [0, 'device', 'diff', NAME, 'a.mem.jsonl'],
  [0, 'device', 'merge', NAME, 'a.mem.jsonl', '-o', `out${NAME}`],
  [0, 'device', 'store', '--batch', `batch${NAME}`],
  [0, 'device', 'store', `said${HOSTILE}`, '--speaker', HOSTILE, '--dry-run'],
  [0, 'device', 'init', `new${NAME}`],
  [6, 'device', 'init', NAME],
  [3, 'device', 'list', '--snapshot', `none${NAME}`],
  [0, 'device', 'export', '-o', `exported${NAME}`],
  [2, `device${HOSTILE}`],
  [2, 'device', HOSTILE],
  [2, 'device', 'list', `--${HOSTILE}`],
  [2, 'device', 'list', '--since', HOSTILE],
  [3, 'config', 'get', HOSTILE],
  [0, 'config', 'get', 'snapshot'],
  [0, 'config', 'list'],
  [2, 'help', HOSTILE],
  [0, 'connections', 'sync', CONNECTION_ID, '--wait'],
  [0, 'connections', 'sync', CONNECTION_ID, '--wait', '--jsonl'],
  [0, 'connections', 'items', CONNECTION_ID, '--json'],
  [0, 'connections', 'folders', CONNECTION_ID, '--depth', '2', '--tree'],
  [0, 'connections', 'disconnect', CONNECTION_ID, '--yes'],
  [2, 'connections', 'config', CONNECTION_ID, '--folder', HOSTILE, '--yes'],
  [3, 'connections', 'show', HOSTILE],
  [0, 'collections', 'list', '--json'],
  [0, 'memories', 'search', 'x', '--explain'],
  [0, 'api', 'GET', '/v1/collections', '--json'],
  [0, 'api', 'POST', '/v1/device-memory/snapshot/export', '--jsonl'],
  [3, 'api', 'GET', '/v1/nowhere'],
  [3, 'api', 'GET', '/v1/nowhere', '--json'],
  [0, 'server', 'logs'],
  [0, 'server', 'logs', '--json'],
  [3, 'server', 'providers', 'set', HOSTILE, '--clear'],
  [2, 'completion', HOSTILE]
]

test.for(CASES.map(([code, ...words]) => [JSON.stringify(words.join(' ')), code, words] as const))(
  '%s writes no foreign control sequence to a terminal, exit %i',
  async ([, code, words], { skip }) => {
    skip(!kindsHere().includes('terminal'), WHY_NO_TERMINAL)
    const screen = await onTerminal(words)
    expect(controlsOf(screen)).toEqual([])
    expect(screen.code).toBe(code)
  }
)

test('runs commands in a folder with a hostile name', () => {
  const { home } = homes.fresh({})
  expect(readdirSync(home).some((name) => name.includes('\u001b[2J'))).toBe(true)
})

test('finds a control sequence that the program did not write', () => {
  expect(foreignControls('\u001b[31merror:\u001b[0m it failed\r\n')).toEqual([])
  expect(foreignControls(`name ${HOSTILE}`)).toContain('\u001b')
  for (const one of ['\u009b', '\u202e', '\b', '\r', '\u2028']) expect(foreignControls(`a${one}b`)).toEqual([one])
})

/** Returns the terminal output of a command if all names are hostile. */
async function onTerminal(words: readonly string[]): Promise<Outcome> {
  const place = homes.fresh({ MEMCTL_SERVER: service.origin, MEMCTL_API_KEY: 'mk_test' })
  const put = (name: string, text: string | Buffer): void => writeFileSync(join(place.folder, name), text)
  const lines = [memoryLine({ text: 'first' }), memoryLine({ text: `second${HOSTILE}`, speaker: HOSTILE })]
  put(NAME, file(...lines))
  put(`damaged${NAME}`, file(...lines, `{"type":"memory","id":"${HOSTILE}"`, HOSTILE))
  put(`batch${NAME}`, `${JSON.stringify({ raw_text: hostileName('said'), conversation: HOSTILE })}\n`)
  if (words[0] === 'config') put('memctl.json', JSON.stringify({ snapshot: NAME }))
  const data = join(place.home, '.local/share/memctl')
  mkdirSync(data, { recursive: true })
  const entry = { level: 'info', time: 0, msg: hostileName('msg'), [HOSTILE]: HOSTILE }
  writeFileSync(join(data, 'server.log'), `${JSON.stringify(entry)}\n${hostileName('no JSON')}\n`)
  return await runIn('terminal', { words }, place)
}

/** The control sequences of hostile names, each with its escaped form. */
function controlsOf({ stdout }: Outcome): string[] {
  return [...new Set(foreignControls(stdout).map((control) => JSON.stringify(control)))]
}
