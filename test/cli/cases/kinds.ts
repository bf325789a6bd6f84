import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { shellWord } from '../../../src/cli/output/short-forms.ts'
import { PROGRAM } from '../built-program.ts'

/**
 * The standard streams of a process: a terminal without keystrokes; pipes with an idle, open stdin; /dev/null as
 * stdin; a
 * closed stdin; and a terminal with CI=1.
 */
export const KINDS = ['terminal', 'pipe', 'null', 'closed', 'ci'] as const

export type Kind = (typeof KINDS)[number]

/** Reports whether a kind needs a terminal, which the program `script` of util-linux provides. */
export function isOnTerminal(kind: Kind): boolean {
  return kind === 'terminal' || kind === 'ci'
}

const { stdout: SCRIPT_VERSION } = spawnSync('script', ['--version'], { encoding: 'utf8' })

/** Returns the kinds that this machine supports. */
export function kindsHere(): readonly Kind[] {
  return SCRIPT_VERSION?.includes('util-linux') ? KINDS : KINDS.filter((kind) => !isOnTerminal(kind))
}

export const WHY_NO_TERMINAL = 'there is no script of util-linux, which lends a terminal'

/** The time limit of a process on a busy machine, in milliseconds. A process that exceeds it is killed. */
const HANGS_MS = 240_000

export type Surroundings = {
  home: string
  /** The current folder of the command. */
  folder: string
  environment?: Readonly<Record<string, string>>
}

/**
 * The output after which the process is told to stop: by Ctrl-C on a terminal, otherwise by SIGTERM. With `types`, a
 * terminal types that text instead.
 */
export type Given = {
  words: readonly string[]
  stopAt?: string | undefined
  types?: string | undefined
  onStart?: (child: ChildProcess) => void
}

/** On a terminal, both are the whole screen. */
export type Outcome = { code: number | string; stdout: string; stderr: string }

/** Runs the built program to its end in one kind of environment. */
export async function runIn(
  kind: Kind,
  { words, stopAt, types = '\u0003', onStart }: Given,
  surroundings: Surroundings
): Promise<Outcome> {
  const child = starters[kind]([process.execPath, PROGRAM, ...words], surroundings)
  onStart?.(child)
  const said = { stdout: '', stderr: '' }
  let told = false
  const hear = (name: 'stdout' | 'stderr') => (chunk: Buffer) => {
    said[name] += chunk.toString('latin1')
    if (stopAt === undefined || told || !`${said.stdout}${said.stderr}`.includes(stopAt)) return
    told = true
    if (isOnTerminal(kind)) child.stdin?.write(types)
    else child.kill('SIGTERM')
  }
  child.stdout?.on('data', hear('stdout'))
  child.stderr?.on('data', hear('stderr'))
  let hangs = false
  const watch = setTimeout(() => {
    hangs = true
    endAll(child)
  }, HANGS_MS)
  const [code, signal] = await once(child, 'close')
  clearTimeout(watch)
  const stdout = utf8(said.stdout)
  const stderr = isOnTerminal(kind) ? stdout : utf8(said.stderr)
  return { code: hangs ? 'hangs' : (code ?? signal), stdout, stderr }
}

type Starter = (command: readonly string[], surroundings: Surroundings) => ChildProcess

const starters: Readonly<Record<Kind, Starter>> = {
  terminal: onTerminal,
  ci: (command, { environment, ...rest }) => onTerminal(command, { ...rest, environment: { ...environment, CI: '1' } }),
  pipe: ([program = '', ...args], at) => spawn(program, args, { ...placeOf(at), stdio: 'pipe' }),
  null: ([program = '', ...args], at) => spawn(program, args, { ...placeOf(at), stdio: ['ignore', 'pipe', 'pipe'] }),
  closed: (command, at) =>
    spawn('sh', ['-c', 'exec "$@" <&-', 'sh', ...command], { ...placeOf(at), stdio: ['ignore', 'pipe', 'pipe'] })
}

function onTerminal(command: readonly string[], surroundings: Surroundings): ChildProcess {
  const line = `stty cols 100 rows 30; exec ${command.map(shellWord).join(' ')}`
  return spawn('script', ['-qec', line, '/dev/null'], { ...placeOf(surroundings), stdio: 'pipe' })
}

/**
 * Starts the process without variables of the test environment except PATH, in a process group of its own, so that all
 * of it can be ended.
 */
function placeOf({ home, folder, environment }: Surroundings) {
  const { PATH } = process.env
  return { cwd: folder, env: { PATH, HOME: home, TERM: 'xterm', SHELL: '/bin/sh', ...environment }, detached: true }
}

function endAll(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}

/** Collects text from chunks, which may end in the middle of a character. */
function utf8(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
