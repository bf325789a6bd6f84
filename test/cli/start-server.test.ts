import { expect, test } from 'vitest'
import { originOf } from '../../bin/node/serve.ts'
import type { DetachedProcess } from '../../src/ports.ts'
import { FACTS, type HostWishes } from './fake-host.ts'
import { memoryFiles } from './memory-files.ts'
import { errorLine, runCli } from './run-cli.ts'

/** A started process that says this first. */
function child(firstLine: string | undefined): DetachedProcess {
  return { pid: 42, firstLine: Promise.resolve(firstLine), ended: Promise.resolve(6), release: () => undefined }
}

/** A host whose server takes a port other than the one that commands ask. */
const ELSEWHERE = { ...FACTS, origin: 'http://127.0.0.1:9000' }
const host: HostWishes['host'] = {
  run: async (_flags, { onReady }) => await onReady(ELSEWHERE, undefined),
  detach: () => child(JSON.stringify(ELSEWHERE))
}

const HINT = 'hint: other commands ask it with --server http://127.0.0.1:9000, or from now on: memctl config set server'

test.each([[[]], [['--detach']]])(
  'a server at another address than commands ask says how to name it: %j',
  async (detach) => {
    const run = await runCli(['server', 'start', ...detach], { host })
    expect(run.stderr).toContain(HINT)
    const named = await runCli(['server', 'start', ...detach, '--server', 'http://127.0.0.1:9000/'], { host })
    expect(named.stderr).not.toContain('other commands')
  }
)

test('a server starts whatever is wrong with the settings of commands', async () => {
  const run = await runCli(['server', 'start', '--detach'], { host, environment: { MEMCTL_SERVER: 'nowhere' } })
  expect(run.code).toBe(0)
  expect(run.stderr).toContain(HINT)
})

test('the origin of a server is written as origins are, so that its key is found by it', () => {
  const at = (port: number) => ({ address: '', family: 'IPv4', port })
  expect(originOf('127.0.0.1', at(80))).toBe('http://127.0.0.1')
  expect(originOf('LOCALHOST', at(8787))).toBe('http://localhost:8787')
  expect(originOf('::', at(8787))).toBe('http://[::1]:8787')
  expect(originOf('0.0.0.0', at(8787))).toBe('http://127.0.0.1:8787')
})

test('a log that cannot be written is the refusal of the system', async () => {
  const refused: HostWishes['host'] = {
    detach: () => {
      throw Object.assign(new Error('EISDIR'), { code: 'EISDIR', syscall: 'open' })
    }
  }
  const run = await runCli(['server', 'start', '--detach', '--json'], { host: refused })
  expect(run.code).toBe(1)
  expect(errorLine(run)).toMatchObject({
    code: 'system_refused',
    message: '/data/server.log: the system refused (EISDIR)'
  })
})

test('what helps against the failure of a server is handed on', async () => {
  const files = memoryFiles()
  const error = { code: 'address_in_use', message: 'taken', hint: 'another', next: ['memctl server status', 7] }
  const failing: HostWishes['host'] = {
    detach: ({ logFile }) => {
      files.put(logFile, `${JSON.stringify({ error })}\n`)
      return child(undefined)
    }
  }
  const run = await runCli(['server', 'start', '--detach', '--json'], { host: failing, files })
  expect(errorLine(run)).toMatchObject({ code: 'address_in_use', next: ['memctl server status'] })
})

test('status of a server that --server names is not that of the one here', async () => {
  const host: HostWishes['host'] = { facts: () => FACTS, isRunning: () => true }
  const probed: string[] = []
  const fetch = async ({ url }: Request): Promise<Response> => {
    probed.push(new URL(url).origin)
    return new Response('ok')
  }
  const there = await runCli(['server', 'status', '--json', '--server', 'https://m.example'], { host, fetch })
  expect(there.code).toBe(0)
  expect(JSON.parse(there.stdout)).toMatchObject({
    running: false,
    origin: 'https://m.example',
    pid: null,
    ready: true
  })
  const here = await runCli(['server', 'status', '--json', '--server', `${FACTS.origin}/`], { host, fetch })
  expect(JSON.parse(here.stdout)).toMatchObject({ running: true, origin: FACTS.origin, pid: 42 })
  expect(new Set(probed)).toEqual(new Set(['https://m.example', FACTS.origin]))
})

test('a server that --server names and that does not answer is exit 7', async () => {
  const run = await runCli(['server', 'status', '--json', '--server', 'https://m.example'])
  expect(run.code).toBe(7)
  expect(errorLine(run)).toMatchObject({ code: 'unreachable' })
})
