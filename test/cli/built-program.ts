import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The program as a user runs it. */
export const PROGRAM = join(ROOT, 'dist', 'memctl.js')
export const OFFLINE = join(ROOT, 'dist', 'offline.js')

/** Builds the program unless it is newer than all its sources. */
export function ensureBuilt(): void {
  const built = existsSync(PROGRAM) ? statSync(PROGRAM).mtimeMs : 0
  const code = ['src', 'server', 'bin'].flatMap((room) => filesUnder(join(ROOT, room)))
  const sources = [...code, join(ROOT, 'package.json')]
  if (sources.every((path) => statSync(path).mtimeMs <= built)) return
  execFileSync(process.execPath, [join(ROOT, 'bin', 'build.mjs'), '--quiet'], { cwd: ROOT, stdio: 'inherit' })
}

export type Ended = { code: number | null; signal: string | null; stdout: string; stderr: string }

/**
 * Starts the program with all its folders in `home` and without environment variables of this process that it reads.
 */
export function start(args: readonly string[], home: string, node: readonly string[] = []): ChildProcess {
  const { PATH } = process.env
  return spawn(process.execPath, [...node, PROGRAM, ...args], { cwd: home, env: { PATH, HOME: home }, stdio: 'pipe' })
}

/** Resolves to the output of a started program when it has ended. */
export async function ended(child: ChildProcess): Promise<Ended> {
  const said = { stdout: '', stderr: '' }
  child.stdout?.on('data', (chunk) => (said.stdout += chunk))
  child.stderr?.on('data', (chunk) => (said.stderr += chunk))
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (...how) => resolve(how))
  })
  return { code, signal, ...said }
}

/** Runs the program to its end with nothing on stdin, or a text. */
export async function runProgram(args: readonly string[], home: string, stdin = ''): Promise<Ended> {
  const child = start(args, home)
  child.stdin?.end(stdin)
  return await ended(child)
}

function filesUnder(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}
