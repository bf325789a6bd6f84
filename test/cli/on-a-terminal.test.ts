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
beforeAll(ensureBuilt)
afterAll(() => rmSync(home, { recursive: true, force: true }))

const isMissing = spawnSync('script', ['--version']).error !== undefined
const hasNoShell = spawnSync('bash', ['--version']).error !== undefined
const WHY_NO_SHELL =
  'there is no program named script or bash, which lend a terminal and a shell that continues programs'
const WHY = 'there is no program named script, which lends a terminal'

test('Ctrl-D at a prompt stops the command like Ctrl-C', async ({ skip }) => {
  skip(isMissing, WHY)
  await runProgram(['device', 'store', 'the old address'], home)
  const shell = onTerminal(['device', 'forget', '--query', 'address'])
  await shell.says('[ ] the old address')
  shell.type(' \r')
  await shell.says('forget this memory')
  shell.type('\u0004')
  expect(await shell.code).toBe(130)
  expect(shell.said()).toContain('cancelled at the prompt; nothing was changed')
})

test('repeats the prompt after an answer other than yes or no', async ({ skip }) => {
  skip(isMissing, WHY)
  await runProgram(['device', 'store', 'the spring address'], home)
  const shell = onTerminal(['device', 'forget', '--query', 'spring'])
  await shell.says('[ ] the spring')
  shell.type(' \r')
  await shell.says('(y/N)')
  shell.type('perhaps\r')
  await shell.says('You must answer')
  shell.type('\u0015n\r')
  expect(await shell.code).toBe(1)
  expect(shell.said()).toContain('nothing was forgotten')
})

test('takes the number of the last search on the same terminal, and not on another one', async ({ skip }) => {
  skip(isMissing, WHY)
  await runProgram(['device', 'store', 'the winter address'], home)
  const search = programWords(['device', 'search', 'winter address'])
  const shell = onTerminal(
    ['device', 'forget', '1', '--yes'],
    {},
    `${search}; ${programWords(['device', 'show', '1'])}; `
  )
  await shell.says('Permanently forget this memory?')
  expect(shell.said().match(/\| the winter address/g)).toHaveLength(3)
  shell.type('y\r')
  expect(await shell.code).toBe(0)
  const other = onTerminal(['device', 'show', '1'])
  expect(await other.code).toBe(3)
  expect(other.said()).toContain('no search of the last 30 minutes in this terminal has a number 1')
})

test('draws a bounded output on a terminal without a reported width', async ({ skip }) => {
  skip(isMissing, WHY)
  const file = join(home, 'batch.jsonl')
  writeFileSync(file, `${JSON.stringify({ raw_text: 'Ada moved to Lisbon' })}\n`)
  const shell = onTerminal(['device', 'store', '--batch', file], {}, 'stty cols 0; ')
  expect(await shell.code).toBe(0)
})

test('sends the folders that the user picked with keys', async ({ skip }) => {
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

test('a picker responds to keys after Ctrl-Z and fg, and the shell receives none of them', async ({ skip }) => {
  skip(isMissing || hasNoShell, WHY_NO_SHELL)
  const { origin, sent } = await driveService()
  const shell = await atShell({ MEMCTL_SERVER: origin, MEMCTL_API_KEY: 'mk_x' })
  shell.type(`${programWords(['connections', 'config', CONNECTION_ID, '--yes'])}\r`)
  await shell.says('Plans')
  await suspendAndGoOn(shell)
  await shell.says('Plans')
  shell.type('\u001b[B\u001b[B')
  await shell.says('>   [ ] Plans')
  shell.type(' ')
  await shell.says('3/10')
  shell.type('\r')
  expect(await shell.exitCode()).toBe('0')
  expect(sent).toEqual([{ config: { folder_ids: ['F1', 'F2', 'F3'] } }])
})

test('a prompt accepts an answer after Ctrl-Z and fg, and Ctrl-C stops it', async ({ skip }) => {
  skip(isMissing || hasNoShell, WHY_NO_SHELL)
  await runProgram(['device', 'store', 'the winter address'], home)
  const shell = await atShell()
  const askedTwice = async (): Promise<void> => {
    shell.type(`${programWords(['device', 'forget', '--query', 'winter'])}\r`)
    await shell.says('[ ] the winter')
    shell.type(' ')
    await shell.says('[x] the winter')
    shell.type('\r')
    await shell.says('(y/N)')
    await suspendAndGoOn(shell)
    await shell.says('(y/N)')
  }
  await askedTwice()
  shell.type('\u0003')
  await shell.says('cancelled at the prompt')
  expect(await shell.exitCode()).toBe('130')
  await askedTwice()
  shell.type('y\r')
  await shell.says('Yes')
  expect(await shell.exitCode()).toBe('0')
})

test.for(['xterm', 'dumb'])(
  'still prompts for a key after Ctrl-Z and fg on a terminal of kind %s',
  async (TERM, { skip }) => {
    skip(isMissing || hasNoShell, WHY_NO_SHELL)
    const { origin } = await driveService()
    const shell = await atShell({ MEMCTL_SERVER: origin, TERM })
    shell.type(`${programWords(['auth', 'login'])}\r`)
    await shell.says('Key for')
    shell.type('mk_before')
    await suspendAndGoOn(shell)
    await shell.says('Key for')
    shell.type('mk_after\u0003')
    await shell.says('cancelled at the prompt')
    expect(shell.said()).not.toMatch(/mk_(before|after)/)
    expect(await shell.exitCode()).toBe('130')
  }
)

test.for([
  ['cat', true],
  ['no-such-pager-here', true],
  ['false', true],
  ['head -1', false]
] as const)('help through the pager %s ends quietly, complete: %s', async ([PAGER, isWhole], { skip }) => {
  skip(isMissing, WHY)
  const shell = onTerminal(['help', 'formats'], { PAGER })
  expect(await shell.code).toBe(0)
  expect(shell.said()).toMatch(/^Formats\r?\n/)
  expect(shell.said().includes('--queries')).toBe(isWhole)
})

test('Ctrl-C belongs to the pager while it is open', async ({ skip }) => {
  skip(isMissing, WHY)
  const pager = join(home, 'pager.mjs')
  writeFileSync(pager, PAGER_THAT_SURVIVES_CTRL_C)
  const PAGER = [process.execPath, pager].map(shellWord).join(' ')
  const shell = onTerminal(['help', 'formats'], { PAGER }, 'exec ')
  await shell.says('pager open')
  shell.type('\u0003')
  await shell.says('interrupted')
  shell.type('on\r')
  expect(await shell.code).toBe(0)
  expect(shell.said()).toContain('read on')
})

/**
 * A pager that reads one line from the terminal. It is not a shell script: a shell that gets the signal just before it
 * starts to read would handle it only after the line.
 */
const PAGER_THAT_SURVIVES_CTRL_C = `
  import { openSync } from 'node:fs'
  import { createInterface } from 'node:readline'
  import { ReadStream } from 'node:tty'
  process.on('SIGINT', () => console.log('interrupted'))
  createInterface({ input: new ReadStream(openSync('/dev/tty')) }).once('line', (line) => {
    console.log('read ' + line)
    process.exit()
  })
  console.log('pager open')
`

type Shell = Awaited<ReturnType<typeof atShell>>

/** While the program is suspended, the terminal belongs to the shell and echoes input. */
async function suspendAndGoOn(shell: Shell): Promise<void> {
  shell.forget()
  shell.type('\u001a')
  await shell.says('Stopped')
  shell.forget()
  shell.type('stty -a | tr -s " ;" "\\n" | grep -x -e -*isig -e -*icanon -e -*echo | tr "\\n" , ; echo\r')
  await shell.says(/isig,icanon,echo,\s+ready> $/)
  shell.forget()
  shell.type('fg\r')
}

const programWords = (args: readonly string[]): string => [process.execPath, PROGRAM, ...args].map(shellWord).join(' ')

/** Starts a shell with job control on a new terminal. */
async function atShell(environment: Record<string, string> = {}) {
  const shell = underScript('bash --norc --noprofile --noediting -i', { PS1: 'ready> ', HISTFILE: '', ...environment })
  await shell.says('ready> ')
  shell.forget()
  return {
    ...shell,
    /** Resolves to the exit code of the previous command. */
    async exitCode(): Promise<string | undefined> {
      await shell.says('ready> ')
      shell.type('echo "exit:"$?:\r')
      await shell.says(/exit:\d+:/)
      const [, code] = /exit:(\d+):/.exec(shell.said()) ?? []
      shell.forget()
      return code
    }
  }
}

/** The program on a terminal of its own. `first`: what the shell does before. */
function onTerminal(args: readonly string[], environment: Record<string, string> = {}, first = '') {
  return underScript(first + programWords(args), environment)
}

/** A command on a terminal of its own. */
function underScript(command: string, environment: Record<string, string>) {
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
    says: (text: string | RegExp) =>
      saysSo(child, () => (typeof text === 'string' ? said.includes(text) : text.test(said))),
    /** Discards the output so far. */
    forget: () => {
      said = ''
    },
    type: (text: string) => child.stdin.write(text),
    code: once(child, 'close').then(([code]) => code)
  }
}

async function saysSo({ stdout }: ChildProcess, isSaid: () => boolean): Promise<void> {
  while (!isSaid()) if (stdout !== null) await once(stdout, 'data')
}

/** Creates a service with one connection to a drive that records the selections it receives. */
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
