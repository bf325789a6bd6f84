import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** The program under test: the built one of this checkout, or the one that `TORTURE_PROGRAM` names. */
export const PROGRAM = process.env.TORTURE_PROGRAM ?? join(ROOT, 'dist', 'memctl.js')

/** The library that is built beside it. */
export const LIBRARY = new URL(`file://${join(dirname(PROGRAM), 'device.js')}`).href

/** The folder of external evaluation corpora; `TORTURE_CORPORA` overrides it. */
export const CORPORA = process.env.TORTURE_CORPORA ?? join(ROOT, '..', 'shared', 'corpora')

/** Creates a temporary folder for everything that the program stores elsewhere. */
export function makeHome() {
  const folder = mkdtempSync(join(tmpdir(), 'memctl-torture-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const name of ['cache', 'data', 'config', 'work']) mkdirSync(join(folder, name))
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    MEMCTL_CACHE_DIR: join(folder, 'cache'),
    MEMCTL_DATA_DIR: join(folder, 'data'),
    MEMCTL_CONFIG_DIR: join(folder, 'config')
  }
  return { folder, env, work: join(folder, 'work') }
}

/** Builds the program if it is missing. */
export function ensureBuilt() {
  if (existsSync(PROGRAM) || process.env.TORTURE_PROGRAM !== undefined) return
  execFileSync(process.execPath, [join(ROOT, 'bin', 'build.mjs'), '--quiet'], { cwd: ROOT, stdio: 'inherit' })
}

/** Runs the program to its end. `under` are arguments to start it with, such as strace and its options. */
export function run(home, args, { input = '', env = {}, under = [], timeout = 120_000, cwd, stdio } = {}) {
  const [command, ...rest] = [...under, process.execPath, PROGRAM, ...args]
  const start = performance.now()
  const ended = spawnSync(command, rest, {
    cwd: cwd ?? home.work,
    env: { ...home.env, ...env },
    input: stdio === undefined ? input : undefined,
    stdio,
    timeout,
    encoding: 'utf8',
    maxBuffer: 1 << 30
  })
  const { status, signal, stdout, stderr } = ended
  return { code: status, signal, stdout: stdout ?? '', stderr: stderr ?? '', ms: performance.now() - start }
}

/** Runs a command that must succeed, and returns its stdout. */
export function must(home, args, options) {
  const ended = run(home, args, options)
  if (ended.code !== 0) throw new Error(`memctl ${args.join(' ')}: exit ${ended.code}, ${ended.stderr}`)
  return ended.stdout
}

/** Starts the program and returns the process. */
export function start(home, args, { env = {}, stdio = ['ignore', 'pipe', 'pipe'], cwd } = {}) {
  return spawn(process.execPath, [PROGRAM, ...args], { cwd: cwd ?? home.work, env: { ...home.env, ...env }, stdio })
}

/** Returns the output of a started process and how it ended. */
export async function ended(child) {
  const said = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    said.stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    said.stderr += text
  })
  const [code, signal] = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (...how) => resolve(how))
  })
  return { code, signal, ...said }
}

/** Reports whether a tool is available. */
export function hasTool(name, args = ['--version']) {
  return spawnSync(name, args, { stdio: 'ignore' }).error === undefined
}
