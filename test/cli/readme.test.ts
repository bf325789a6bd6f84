import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { ended, ensureBuilt, PROGRAM, runProgram } from './built-program.ts'
import { makeJob, startRecipeServer } from './recipe-kit.ts'

/** Runs the commands of the README as written. A server listens on a free port instead of 8787. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const README = readFileSync(join(ROOT, 'README.md'), 'utf8')

const LINES_MAX = 235

/** The commands that this file does not run, each with the test that runs its parts. */
const RUN_ELSEWHERE: Readonly<Record<string, string>> = {
  'npm ci && npm run quickstart': 'test/cli/quickstart-process.test.ts',
  'npm ci && npm test': '.ci/run'
}

const scratch = mkdtempSync(join(tmpdir(), 'memctl-readme-'))
beforeAll(ensureBuilt)
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const isWithoutTerminal = spawnSync('script', ['--version']).error !== undefined
const WHY_NO_TERMINAL = 'the program named script, which provides a terminal, is missing'

test(`has at most ${LINES_MAX} lines`, () => {
  expect(README.trimEnd().split('\n').length).toBeLessThanOrEqual(LINES_MAX)
})

test('begins with two commands that other tests run', () => {
  const beginning = README.slice(0, README.indexOf('\n## '))
  const shown = [...beginning.matchAll(/^ {4}(\S.*)$/gm)].map(([, line]) => line)
  expect(shown).toEqual(Object.keys(RUN_ELSEWHERE))
  expect(readFileSync(join(ROOT, '.ci', 'run'), 'utf8')).toContain('npm ci && npm test')
  expect(packageJson.scripts.quickstart).toMatch(/node dist\/memctl\.js quickstart$/)
})

test('has every command in a section that a test runs', () => {
  const sections = README.split(/^## /m).filter((section) => /^```(sh|ts|console)$/m.test(section))
  expect(sections.map((section) => section.split('\n')[0])).toEqual([
    ...['Your own notes', 'A session', 'Install', 'Device', 'Server', 'Connect', 'CI', 'Library']
  ])
})

test('links only to existing files', () => {
  const targets = [...README.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target = '']) => target)
  expect(targets.length).toBeGreaterThan(10)
  expect(targets.filter((target) => spawnSync('test', ['-f', join(ROOT, target)]).status !== 0)).toEqual([])
})

test('stores and finds a note in the example of your own notes', async () => {
  const { code, stdout } = await runSection(prepareFolder('notes'), 'Your own notes')
  expect(code).toBe(0)
  expect(stdout).toContain('Anna moved to Lisbon in May.')
  expect(stdout.match(/^stored\t\d$/gm)).toEqual(['stored\t1', 'stored\t0'])
})

test('shows a session that the program repeats', async ({ skip }) => {
  skip(isWithoutTerminal, WHY_NO_TERMINAL)
  const folder = prepareFolder('session')
  const [session = ''] = blocksOf('A session', 'console')
  const commands = [...session.matchAll(/^\$ (.*)$/gm)].map(([, command = '']) => command)
  const script = commands.map((command) => `cat <<'END'\n$ ${command}\nEND\n${command}\n`).join('')
  const { code, stdout } = await runOnTerminal(folder, script)
  expect(code).toBe(0)
  const path = '/home/ben/.local/share/memctl/memctl.mem.jsonl'
  // The path of this test may be too long for the line, and continue in the next one.
  const shown = stdout.replace(/:\s+\/\S+(?:\n {4}\S+)*$/gm, `: ${path}`)
  expect(shown.trimEnd()).toBe(session.trimEnd())
})

test('installs the packed program', async () => {
  const folder = prepareFolder('install')
  writeProgram(folder, 'npm', npmScript(folder))
  rmSync(join(folder, 'bin', 'memctl'))
  const { code, stdout } = await runSection(folder, 'Install')
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${packageJson.version}\n` })
})

test('stores, searches and verifies in the example of the device', async () => {
  const { code, stdout } = await runSection(prepareFolder('device'), 'Device')
  expect(code).toBe(0)
  expect(stdout).toContain('I moved to Lisbon.')
})

test('stores, searches and exports in the example of the server', async () => {
  const folder = prepareFolder('server')
  const { code, stdout } = await runSection(folder, 'Server')
  expect(code).toBe(0)
  expect(stdout).toContain('Anna moved to Lisbon in May')
  expect(readFileSync(join(folder, 'shared.mem.jsonl'), 'utf8')).toContain('Anna moved to Lisbon in May')
})

test('connects and searches an account in the example of connectors', async ({ skip }) => {
  skip(isWithoutTerminal, WHY_NO_TERMINAL)
  const folder = prepareFolder('connect')
  const [script = ''] = blocksOf('Connect', 'sh')
  const { code, stdout } = await runOnTerminal(folder, `set -e\n${script}`)
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('61 days') })
})

test('ends with 0 in the example of CI, and with 11 after a change', async () => {
  const server = await startRecipeServer(join(scratch, 'ci-home'))
  onTestFinished(async () => void (await runProgram(['server', 'stop'], server.home)))
  const job = await makeJob(server, join(scratch, 'ci'))
  const variables = { COLLECTION: job.collection, MEMCTL_SERVER: server.origin, MEMCTL_API_KEY: job.key }
  prepareFolder('ci')
  expect(await runSection(job.folder, 'CI', variables)).toMatchObject({ code: 0 })
  const home = ['--server', server.origin, '-c', job.collection]
  await runProgram(['memories', 'add', 'Anna moved to Porto', ...home], server.home)
  expect(await runSection(job.folder, 'CI', variables)).toMatchObject({ code: 11 })
})

test('finds in both examples of the library', async () => {
  const folder = prepareFolder('library')
  const [device = '', client = ''] = blocksOf('Library', 'ts')
  const [key = ''] = blocksOf('Library', 'sh')
  writeFileSync(join(folder, 'device.mjs'), device)
  writeFileSync(join(folder, 'client.mjs'), `${client}\nconsole.log(semantics[0].value)\n`)
  const node = `'${process.execPath}'`
  const script = [
    `${node} device.mjs`,
    'memctl server start --detach > started.txt',
    `sed -i.bak "s|http://127.0.0.1:8787|$(memctl config get server)|" client.mjs`,
    key,
    `${node} client.mjs`
  ].join('\n')
  const { code, stdout } = await runShell(folder, `set -e\n${script}\n`)
  expect(code).toBe(0)
  expect(stdout).toMatch(/^\d\.\d\d Anna moved to Lisbon in May\nLisbon/)
})

/** Returns the code blocks of a language in a section of the README. */
function blocksOf(section: string, language: string): string[] {
  const text = README.split(/^## /m).find((one) => one.startsWith(`${section}\n`)) ?? ''
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block)
}

/** Creates a home in which `memctl` is a command and a package, and a browser that approves on a sandbox page. */
function prepareFolder(name: string): string {
  const folder = join(scratch, name)
  mkdirSync(join(folder, 'bin'), { recursive: true })
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  symlinkSync(ROOT, join(folder, 'node_modules', 'memctl'))
  writeProgram(folder, 'memctl', memctlScript())
  writeProgram(folder, 'xdg-open', `#!/bin/sh\nexec '${process.execPath}' '${join(folder, 'approve.mjs')}' "$@"\n`)
  writeFileSync(join(folder, 'approve.mjs'), APPROVE)
  onTestFinished(async () => void (await runProgram(['server', 'stop'], folder)))
  return folder
}

function writeProgram(folder: string, name: string, text: string): void {
  writeFileSync(join(folder, 'bin', name), text)
  chmodSync(join(folder, 'bin', name), 0o755)
}

/** Runs the program. A server that it starts is on a free port, and becomes the server of later commands. */
function memctlScript(): string {
  const program = `'${process.execPath}' '${PROGRAM}'`
  return `#!/bin/sh
[ "$1 $2" = 'server start' ] || exec ${program} "$@"
MEMCTL_SERVER_PORT=0 ${program} "$@" || exit
${program} config set server "$(${program} server status --fields origin)" > set.txt
`
}

/** Stands in for npm, which needs a registry. test/cli/package.test.ts packs and unpacks the package. */
function npmScript(folder: string): string {
  return `#!/bin/sh
case "$*" in
  pack) : ;;
  'install --global ./memctl-${packageJson.version}.tgz') cat > '${folder}/bin/memctl' <<'END'
${memctlScript()}END
    chmod 755 '${folder}/bin/memctl' ;;
  *) echo "unexpected: npm $*" >&2; exit 1 ;;
esac
`
}

/** Approves as the first account of a consent page, as a person does in a browser. */
const APPROVE = `
const address = process.argv.at(-1)
const page = await (await fetch(address)).text()
const value = (name) => new RegExp('name="' + name + '" value="([^"]*)"').exec(page)?.[1] ?? ''
const body = new URLSearchParams({ request: value('request'), account: value('account'), decision: 'approve' })
const [, action] = /<form method="post" action="([^"]*)"/.exec(page)
await fetch(new URL(action, address), { method: 'POST', body })
`

type Variables = Readonly<Record<string, string>>

async function runSection(folder: string, section: string, variables: Variables = {}) {
  return await runShell(folder, `set -e\n${blocksOf(section, 'sh').join('')}`, variables)
}

async function runShell(folder: string, script: string, variables: Variables = {}) {
  writeFileSync(join(folder, 'script.sh'), script)
  const env = { ...environmentOf(folder), ...variables }
  const child = spawn('bash', ['script.sh'], { cwd: folder, env, stdio: 'pipe' })
  child.stdin.end()
  return await ended(child)
}

/** Runs a script on a terminal of 88 columns, and returns the text without colors. */
async function runOnTerminal(folder: string, script: string) {
  writeFileSync(join(folder, 'script.sh'), `stty cols 88 rows 50\n${script}`)
  const env = { ...environmentOf(folder), DISPLAY: ':0', TERM: 'xterm' }
  const child = spawn('script', ['-qec', 'bash script.sh', '/dev/null'], { cwd: folder, env, stdio: 'pipe' })
  const { code, stdout } = await ended(child)
  return { code, stdout: stripVTControlCharacters(stdout).replaceAll('\r', '') }
}

function environmentOf(folder: string): Record<string, string> {
  return { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, HOME: folder }
}
