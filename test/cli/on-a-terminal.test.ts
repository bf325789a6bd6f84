import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { shellWord } from '../../src/cli/output/short-forms.ts'
import { ensureBuilt, PROGRAM, runProgram } from './built-program.ts'
import { ACTIVE, CONNECTION_ID } from './scripted-service.ts'

const home = mkdtempSync(join(tmpdir(), 'memctl-terminal-'))
beforeAll(ensureBuilt, 120_000)
afterAll(() => rmSync(home, { recursive: true, force: true }))

const isMissing = spawnSync('script', ['--version']).error !== undefined
const WHY = 'there is no program named script, which lends a terminal'

test('Ctrl-D at a question is a stop like Ctrl-C', async ({ skip }) => {
  skip(isMissing, WHY)
  await runProgram(['device', 'store', 'the old address'], home)
  const shell = onTerminal(['device', 'forget', '--query', 'address'])
  await shell.says('Forget this memory')
  shell.type('\u0004')
  expect(await shell.code).toBe(130)
  expect(shell.said()).toContain('stopped at the question; nothing was changed')
})

test('a terminal that says no width is no reason to draw without end', async ({ skip }) => {
  skip(isMissing, WHY)
  const file = join(home, 'batch.jsonl')
  writeFileSync(file, `${JSON.stringify({ raw_text: 'Ada moved to Lisbon' })}\n`)
  const shell = onTerminal(['device', 'store', '--batch', file], {}, 'stty cols 0; ')
  expect(await shell.code).toBe(0)
})

test('folders are picked with keys, and what was picked is sent', async ({ skip }) => {
  skip(isMissing, WHY)
  const { origin, sent } = await driveService()
  const shell = onTerminal(['connections', 'config', CONNECTION_ID, '--yes'], {
    MEMCTL_SERVER: origin,
    MEMCTL_API_KEY: 'mk_x'
  })
  await shell.says('Plans')
  shell.type('\u001b[B\u001b[B')
  await shell.says('>   [ ] Plans')
  shell.type(' ')
  await shell.says('3/10')
  shell.type('\r')
  expect(await shell.code).toBe(0)
  expect(sent).toEqual([{ config: { folder_ids: ['F1', 'F2', 'F3'] } }])
})

/** The program on a terminal of its own. */
/** `first`: what the shell does before. */
function onTerminal(args: readonly string[], environment: Record<string, string> = {}, first = '') {
  const command = first + [process.execPath, PROGRAM, ...args].map(shellWord).join(' ')
  const { PATH } = process.env
  const env = { PATH, HOME: home, TERM: 'xterm', ...environment }
  const child = spawn('script', ['-qec', command, '/dev/null'], { cwd: home, env, stdio: 'pipe' })
  onTestFinished(() => void child.kill())
  let said = ''
  child.stdout.on('data', (chunk) => {
    said = stripVTControlCharacters(said + chunk)
  })
  return {
    said: () => said,
    says: (text: string) => saysSo(child, () => said.includes(text)),
    type: (text: string) => child.stdin.write(text),
    code: once(child, 'close').then(([code]) => code)
  }
}

async function saysSo({ stdout }: ChildProcess, isSaid: () => boolean): Promise<void> {
  while (!isSaid()) if (stdout !== null) await once(stdout, 'data')
}

/** A service with one connection to a drive, and the selections that it was sent. */
async function driveService() {
  const sent: unknown[] = []
  const folder = { has_children: false, is_selected: false }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    if (request.method === 'PATCH') sent.push(JSON.parse(body))
    const folders = [
      { id: 'F1', name: 'Letters', ...folder, is_selected: true },
      { id: 'F3', name: 'Plans', ...folder }
    ]
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(request.url?.endsWith('/folders') ? folders : ACTIVE))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent }
}
