import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Entry, isGroup } from '../../src/cli/command/command.ts'
import { bashScript } from '../../src/cli/commands/completion/bash-script.ts'
import {
  type CompletionPlace,
  completionTable,
  FLAG_VALUES,
  SHELLS,
  VALUES
} from '../../src/cli/commands/completion/completion-table.ts'
import { fishScript } from '../../src/cli/commands/completion/fish-script.ts'
import { powershellScript } from '../../src/cli/commands/completion/powershell-script.ts'

import { zshScript } from '../../src/cli/commands/completion/zsh-script.ts'
import { loadCatalogue } from '../../src/cli/program/branches.ts'
import { startSampleService } from './cases/sample-service.ts'
import { memoryFiles } from './memory-files.ts'
import { errorLine, runCli, SNAPSHOT } from './run-cli.ts'
import { COLLECTION_ID, CONNECTION_ID } from './scripted-service.ts'

const CATALOGUE = await loadCatalogue()

const places = completionTable(CATALOGUE)
const folder = mkdtempSync(join(tmpdir(), 'memctl-completion-'))
const isMissing = spawnSync('bash', ['--version']).error !== undefined
const WHY = 'bash is not there'

beforeAll(() => {
  for (const name of ['a b.jsonl', "it's.jsonl", '-x.jsonl']) writeFileSync(join(folder, name), '')
  for (const name of ['data', 'device']) mkdirSync(join(folder, name))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Returns what bash offers for a command line whose last word is being typed. `=` is a separate word, as in bash. */
function offered(words: readonly string[], script = bashScript(places)): string[] {
  const code = `${script}
COMP_WORDS=("$@"); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _memctl 2>/dev/null
for one in "\${COMPREPLY[@]}"; do printf '%s\\n' "$one"; done`
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', code, 'bash', 'memctl', ...words], {
    cwd: folder,
    encoding: 'utf8'
  })
  expect(stderr).toBe('')
  return stdout.split('\n').filter((line) => line !== '')
}

test.for<[string[], string[]]>([
  [['dev'], ['device']],
  [['device', 'se'], ['search']],
  [
    ['--json', 'device', '--snapshot', 'list', 'st'],
    ['store', 'stats']
  ],
  [
    ['server', 'providers', ''],
    ['list', 'set']
  ],
  [['device', 'store', '--sp'], ['--speaker']],
  [['device', 'store', '--speaker', ''], []],
  [['device', 'store', '--speaker', 'Ada', '--me'], ['--metadata']],
  [
    ['device', 'init', '--format', ''],
    ['jsonl', 'json']
  ],
  [
    ['device', 'init', '--format', '='],
    ['jsonl', 'json']
  ],
  [['device', 'init', '--format', '=', 'jsonl', '--gi'], ['--gitattributes']],
  [['--vers'], ['--version']],
  [['device', '--vers'], []],
  [['help', 'exi'], ['exit-codes']],
  [['help', 'devi'], ['device']],
  [['connect', 'm'], ['mailbox']],
  [['completion', ''], [...SHELLS]],
  [['connections', 'wait', '--for', 'h'], ['healthy']],
  [['device', 'import', 'a'], ['a b.jsonl']],
  [['device', 'import', "it'"], ["it's.jsonl"]],
  [
    ['server', 'start', '--data-dir', 'd'],
    ['data', 'device']
  ],
  [['nonsense', 'dev'], ['device']]
])('bash completes %j with %j', ([words, expected], { skip }) => {
  skip(isMissing, WHY)
  expect(offered(words).toSorted()).toEqual(expected.toSorted())
})

test('offers every command and flag once in every place', () => {
  const known = places.map(({ path }) => path)
  expect(known).toEqual(['', ...CATALOGUE.flatMap((entry) => pathsOf(entry, ''))])
  for (const { path, flags } of places) {
    const forms = flags.flatMap((flag) => flag.forms)
    expect({ path, forms: new Set(forms).size }).toEqual({ path, forms: forms.length })
  }
})

test('has values only for placeholders and flags that exist', () => {
  const placeholders = new Set(CATALOGUE.flatMap(placeholdersOf))
  expect(Object.keys(VALUES).filter((name) => !placeholders.has(name))).toEqual([])
  const forms = places.flatMap(({ flags }) => flags.flatMap((flag) => flag.forms))
  expect(Object.keys(FLAG_VALUES).filter((form) => !forms.includes(form))).toEqual([])
})

/** A place whose texts contain every special character of a shell. */
const hostile: CompletionPlace[] = [
  {
    path: '',
    commands: [{ name: 'one', about: 'it\'s $(touch owned) `touch owned` "x" \\ : \u2019 [a]' }],
    flags: [{ forms: ['--it'], about: "'; touch owned; '", value: ["a'b", '$(touch', 'owned)'] }],
    words: 'other'
  },
  {
    path: 'one',
    commands: [],
    flags: [{ forms: ['--live', '-l'], about: 'a collection', value: 'collection' }],
    words: 'connection'
  }
]

test.each([
  ['bash', bashScript],
  ['zsh', zshScript],
  ['fish', fishScript],
  ['powershell', powershellScript]
] as const)(
  'matches the recorded script for %s, with texts that contain every special character of a shell',
  async (shell, script) => {
    await expect(script(hostile)).toMatchFileSnapshot(`completion/${shell}.txt`)
  }
)

/** Returns what bash offers for the last word of a line, with a program that prints `printed` and records its arguments. */
function offeredLive(line: string, printed: string): { replies: string[]; asked: string[] } {
  const stub = mkdtempSync(join(folder, 'stub-'))
  writeFileSync(join(stub, 'printed'), printed)
  writeFileSync(join(stub, 'memctl'), `#!/bin/sh\nprintf '%s\\n' "$@" > '${stub}/asked'\ncat '${stub}/printed'\n`)
  chmodSync(join(stub, 'memctl'), 0o755)
  const words = line.split(/([@=:])|\s+/).filter((word) => word !== undefined && word !== '')
  if (/\s$/.test(line)) words.push('')
  const code = `${bashScript(places)}
COMP_LINE=$1; COMP_POINT=\${#1}; shift
COMP_WORDS=("$@"); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _memctl
for one in "\${COMPREPLY[@]}"; do printf '%s\\n' "$one"; done`
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', code, 'bash', line, ...words], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${stub}:${process.env.PATH}` }
  })
  expect(stderr).toBe('')
  const asked = existsSync(join(stub, 'asked')) ? readFileSync(join(stub, 'asked'), 'utf8') : ''
  return { replies: stdout.split('\n').filter((one) => one !== ''), asked: asked.trimEnd().split('\n') }
}

const CONNECTIONS = 'mailbox\tmailbox ada@example.com\nada@example.com\tmailbox ada@example.com\n4f81c2\tmailbox\n'

test.for<[string, string[]]>([
  ['memctl connections sync ', ['mailbox', 'ada@example.com', '4f81c2']],
  ['memctl connections sync ma', ['mailbox']],
  ['memctl connections sync ada@', ['example.com']],
  ['memctl connections sync ada@ex', ['example.com']],
  ['memctl connections sync 4f', ['4f81c2']],
  ['memctl connections sync none', []]
])('bash completes %j with connections of the server: %j', ([line, expected], { skip }) => {
  skip(isMissing, WHY)
  const { replies, asked } = offeredLive(line, CONNECTIONS)
  expect(replies).toEqual(expected)
  expect(asked).toEqual(['__complete', 'connection', '--', 'memctl', 'connections', 'sync'])
})

test.for<[string, string]>([
  ['memctl connections runs ', 'run'],
  ['memctl connections runs mailbox ', 'run'],
  ['memctl device show ', 'memory'],
  ['memctl device forget mem_000001 ', 'memory'],
  ['memctl device search x --why-not ', 'memory']
])('bash completes %j with values of the kind %s', ([line, kind], { skip }) => {
  skip(isMissing, WHY)
  expect(offeredLive(line, '4f81c2\ta\n')).toEqual({
    replies: ['4f81c2'],
    asked: ['__complete', kind, '--', ...line.trim().split(' ')]
  })
})

test('bash quotes a collection with special characters, and runs no program for other values', ({ skip }) => {
  skip(isMissing, WHY)
  const printed = 'my $(touch owned)\ta\nwork\tb\n'
  expect(offeredLive('memctl memories search x -c ', printed).replies).toEqual(['my\\ \\$\\(touch\\ owned\\)', 'work'])
  expect(offeredLive('memctl memories search x --collection=wo', printed).replies).toEqual(['work'])
  expect(offeredLive('memctl connections wait --for ', printed)).toEqual({
    replies: ['active', 'synced', 'healthy'],
    asked: ['']
  })
})

test('offers connections for the syncs of one until it is named, and then its runs', async () => {
  const service = await startSampleService()
  const environment = { MEMCTL_API_KEY: 'mk_x', MEMCTL_SERVER: service.origin }
  const offeredFor = async (kind: string, ...typed: string[]) => {
    const words = ['memctl', 'connections', 'runs', '-c', COLLECTION_ID, ...typed]
    const { stdout } = await runCli(['__complete', kind, '--', ...words], { environment, fetch: globalThis.fetch })
    return stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')]))
  }
  const connections = await offeredFor('connection')
  expect(connections.length).toBeGreaterThan(0)
  expect(await offeredFor('run')).toEqual(connections)
  expect(await offeredFor('run', '--limit', '5', 'unknown')).toEqual(connections)
  const runs = await offeredFor('run', CONNECTION_ID)
  expect(runs.length).toBeGreaterThan(0)
  for (const [id, about] of runs) {
    expect(id).toMatch(/^[0-9a-f]{6,}$/)
    expect(about).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d, \w+$/)
  }
  expect(await offeredFor('run', '--limit', '5', `"${CONNECTION_ID.slice(-6)}"`)).toEqual(runs)
  await service.close()
  expect(await offeredFor('run', CONNECTION_ID)).toEqual([])
})

/** Returns what completion offers for memory ids after these words. */
async function offeredMemories(lines: readonly unknown[], typed: readonly string[] = []): Promise<string> {
  const files = memoryFiles()
  files.put(SNAPSHOT, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const words = ['memctl', 'device', 'show', ...typed]
  const environment = { MEMCTL_SERVER: 'nowhere' }
  const { code, stdout, stderr } = await runCli(['__complete', 'memory', '--', ...words], { files, environment })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

const memory = (at: number, text: string) => ({ type: 'memory', id: `mem_${String(at).padStart(64, '0')}`, text })

const NAMED = ['--snapshot', 'a.mem.jsonl']

test('offers the ids of the newest memories in the snapshot with their texts, without a server', async () => {
  const id = (at: number) => `mem_${at}${'0'.repeat(62)}`
  const lines = [
    { type: 'memory', id: id(11), text: 'Ada moved to Lisbon.' },
    { type: 'memory', id: id(12), text: 'The gate code is 4417.' },
    { type: 'memory', id: id(13), text: `Ben likes \u001b[31mtea${', and so on'.repeat(9)}.` },
    { type: 'memory', id: 'mem_\u001b[2J', text: 'No id.' },
    { type: 'forget', target: id(12) },
    { type: 'memory' },
    7
  ]
  expect(await offeredMemories(lines, NAMED)).toBe(
    'mem_13000000\tBen likes tea, and so on, and so on, and so on, and so on, …\nmem_11000000\tAda moved to Lisbon.\n'
  )
  expect(await offeredMemories(lines, ['--snapshot=a.mem.jsonl'])).toContain('mem_13000000')
  expect(await offeredMemories(lines, ['--snapshot', 'missing.jsonl'])).toBe('')
})

test('reads only the end of a large snapshot for memory ids', async () => {
  const lines = Array.from({ length: 5000 }, (_, at) => memory(at, `${'word '.repeat(50)}${at}`))
  expect((await offeredMemories(lines, NAMED)).trimEnd().split('\n')).toHaveLength(50)
  expect(await offeredMemories([memory(1, 'x'.repeat(400_000))], NAMED)).toBe('')
})

test('bash does not execute text from descriptions', ({ skip }) => {
  skip(isMissing, WHY)
  expect(offered(['o'], bashScript(hostile))).toEqual(['one'])
  expect(offered(['--it', '$'], bashScript(hostile))).toEqual(['$(touch'])
  expect(spawnSync('ls', { cwd: folder, encoding: 'utf8' }).stdout).not.toContain('owned')
})

test.each(SHELLS)('completion %s prints the script to any kind of stdout', async (shell) => {
  const { code, stdout, stderr } = await runCli(['completion', shell])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain(`Made by: memctl completion ${shell}`)
  const { script } = JSON.parse((await runCli(['completion', shell, '--json'])).stdout)
  expect(script).toBe(stdout)
  expect((await runCli(['completion', shell], { terminals: ['output'], columns: 20 })).stdout).toBe(stdout)
})

test('exits 2 for an unknown shell and lists the supported ones', async () => {
  const run = await runCli(['completion', 'tcsh', '--json'])
  expect(run.code).toBe(2)
  expect(errorLine(run)).toMatchObject({
    message: "unsupported shell 'tcsh': expected bash, zsh, fish, powershell",
    hint: 'memctl completion bash'
  })
})

function pathsOf(entry: Entry, above: string): string[] {
  const path = above === '' ? entry.name : `${above} ${entry.name}`
  return isGroup(entry) ? [path, ...entry.entries.flatMap((one) => pathsOf(one, path))] : [path]
}

function placeholdersOf(entry: Entry): string[] {
  if (isGroup(entry)) return entry.entries.flatMap(placeholdersOf)
  const written = [...(entry.words ?? []).map(({ name }) => name), ...entry.options.map(({ flags }) => flags)]
  return written.flatMap((text) => /[<[](\w+)(?:\.\.\.)?[>\]]/.exec(text)?.[1] ?? [])
}
