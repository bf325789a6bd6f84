import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MemoryRecord } from '../../src/contract/snapshot.ts'
import { understand } from '../../src/memory/understand.ts'
import { type Ended, ended, ensureBuilt } from './built-program.ts'

/** The result of `npm pack`, unpacked beside its dependencies from package.json and nothing else. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'memctl-package-'))
const home = join(scratch, 'home')
const modules = join(home, 'node_modules')
const PACKED_BYTES_MAX = 6_000_000

type Packed = { filename: string; size: number; files: { path: string }[] }
let packed: Packed

beforeAll(() => {
  ensureBuilt()
  const words = ['pack', '--ignore-scripts', '--offline', '--json', '--pack-destination', scratch]
  const env = { ...process.env, npm_config_cache: join(scratch, 'cache'), npm_config_update_notifier: 'false' }
  const told = execFileSync('npm', words, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'ignore'] })
  packed = JSON.parse(told.toString())[0]
  const target = join(modules, 'memctl')
  mkdirSync(target, { recursive: true })
  execFileSync('tar', ['-xzf', join(scratch, packed.filename), '-C', target, '--strip-components=1'])
  for (const path of neededPackages()) cpSync(join(ROOT, path), join(home, path), { recursive: true })
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

type Locked = { dev?: boolean; hasInstallScript?: boolean }

/** Lists the installed dependencies by their place below node_modules. */
function lockedPackages(): [string, Locked][] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  return Object.entries<Locked>(packages).filter(([path, { dev }]) => path !== '' && dev !== true)
}

/** Returns the required packages, without those for other systems. */
function neededPackages(): string[] {
  return lockedPackages()
    .map(([path]) => path)
    .filter((path) => existsSync(join(ROOT, path)))
}

/** Runs the unpacked program with all its folders in the home, and without variables of the test environment. */
function start(...args: readonly string[]) {
  const program = join(modules, 'memctl', 'dist', 'memctl.js')
  const env = { PATH: process.env.PATH, HOME: home }
  return spawn(process.execPath, [program, ...args], { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] })
}

const run = (...args: readonly string[]): Promise<Ended> => ended(start(...args))

test('the package is small, and contains what runs but not its sources', () => {
  expect(packed.size).toBeLessThan(PACKED_BYTES_MAX)
  const others = packed.files.map(({ path }) => path).filter((path) => !path.startsWith('dist/'))
  expect(others.toSorted()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'llms.txt',
    'package.json',
    'src/snapshot/FORMAT.md'
  ])
})

test('runs no install script, neither of the package nor of its dependencies', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  expect(Object.keys(scripts).filter((name) => /^(pre|post)?install$|^prepare$/.test(name))).toEqual([])
  expect(lockedPackages().length).toBeGreaterThan(3)
  expect(lockedPackages().filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([])
})

test('the installed command stores and finds a memory', async () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  expect(await run('--version')).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' })
  expect(await run('device', 'init', 'a.mem.jsonl')).toMatchObject({ code: 0 })
  expect(await run('device', 'store', 'Anna moved to Lisbon', '--snapshot', 'a.mem.jsonl')).toMatchObject({ code: 0 })
  const found = await run('device', 'search', 'where does Anna live', '--snapshot', 'a.mem.jsonl', '--json')
  expect(JSON.parse(found.stdout).sources[0]).toMatchObject({ text: 'Anna moved to Lisbon' })
})

test('an installed server starts and responds', async () => {
  const server = start('server', 'start', '--port', '0', '--json')
  const end = ended(server)
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: server.stdout }).once('line', resolve)
    void end.then(({ stderr }) => reject(new Error(stderr)))
  })
  const { origin } = JSON.parse(line)
  expect((await fetch(`${origin}/healthz`)).status).toBe(200)
  expect(await run('collections', 'list', '--server', origin, '--json')).toMatchObject({ code: 0 })
  server.kill('SIGTERM')
  expect(await end).toMatchObject({ code: 0 })
})

test('exports the libraries by their names, and adapters of which two need no other package', async () => {
  const file = join(home, 'library.mjs')
  const code = [
    "import { openDevice } from 'memctl'",
    "import { createClient } from 'memctl/client'",
    "import { createMemoryTools } from 'memctl/ai'",
    "import { createMemoryHandlers } from 'memctl/anthropic'",
    "const why = await import('memctl/langgraph').catch(({ code }) => code)",
    'for (const one of [openDevice, createClient, createMemoryTools, createMemoryHandlers]) console.log(typeof one)',
    'console.log(why)'
  ]
  writeFileSync(file, code.join('\n'))
  const child = spawn(process.execPath, [file], { cwd: home, stdio: ['ignore', 'pipe', 'pipe'] })
  const stdout = `${'function\n'.repeat(4)}ERR_MODULE_NOT_FOUND\n`
  expect(await ended(child)).toMatchObject({ code: 0, stdout })
})

test('extracts the same with the packed language model as with the complete one', async () => {
  const sentences = readFileSync(join(ROOT, 'test/memory/golden/sentences.txt'), 'utf8').split('\n')
  const texts = [...new Set(sentences.filter((line) => line !== '' && !line.startsWith('== ')))]
  const at = '2026-03-04T10:00:00.000Z'
  writeFileSync(join(home, 'batch.jsonl'), texts.map((raw_text) => `${JSON.stringify({ raw_text, at })}\n`).join(''))
  const { stdout } = await run(
    'device',
    'store',
    '--batch',
    'batch.jsonl',
    '--dry-run',
    '--jsonl',
    '--snapshot',
    'a.mem.jsonl'
  )
  const records: MemoryRecord[] = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
  expect(records.length).toBeGreaterThan(300)
  for (const record of records)
    expect(record).toMatchObject(understand({ text: record.text, at, speaker: undefined, title: undefined }))
})
