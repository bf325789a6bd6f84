import { Fault } from '../contract/faults.ts'
import type { Terminal, World } from '../ports.ts'
import type { AnyCommand } from './command.ts'
import { hasFlag } from './global-options.ts'
import { reportFailure } from './report-failure.ts'
import type { Rooms } from './rooms.ts'
import { runCommand } from './run-command.ts'
import { VERSION } from './version.ts'

/** Runs one command line and gives its exit code. The only place that decides exit codes. */
export async function main(argv: readonly string[], world: World, rooms: Rooms): Promise<number> {
  try {
    return await runUnlessStopped(argv, world, rooms)
  } catch (error) {
    return await reportFailure(error, world.terminal.errors, {
      json: hasFlag(argv, '--json', '--jsonl'),
      debug: hasFlag(argv, '--debug'),
      colors: world.terminal.errors.colors && !hasFlag(argv, '--no-color')
    })
  }
}

/** How long a command may take to come to a clean stop after Ctrl-C, in milliseconds. */
const STOP_GRACE_MS = 1500

async function runUnlessStopped(argv: readonly string[], world: World, rooms: Rooms): Promise<number> {
  if (argv.length === 1 && argv[0] === '--version') return await printVersion(world)
  const running: { command?: AnyCommand } = {}
  const over = new AbortController()
  const work = runCommand({ argv, world, rooms, onStart: (command) => Object.assign(running, { command }) })
  try {
    await Promise.race([work, stopAfterGrace(world, over.signal)])
  } catch (error) {
    throw world.terminal.interrupted.aborted && isStop(error) ? stopped(world.terminal, running.command, error) : error
  } finally {
    over.abort()
  }
  return 0
}

async function printVersion(world: World): Promise<number> {
  await world.terminal.output.write(`${VERSION}\n`)
  return 0
}

/** Never resolves by itself: rejects when the command has been interrupted and does not stop by its own doing. */
async function stopAfterGrace({ terminal, clock }: World, over: AbortSignal): Promise<never> {
  await untilAborted(terminal.interrupted)
  await clock.wait(STOP_GRACE_MS, over)
  throw new Fault('cancelled', '')
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

function isStop(error: unknown): boolean {
  if (error instanceof Fault) return error.code === 'cancelled' || error.code === 'terminated'
  return error instanceof Error && error.name === 'AbortError'
}

/** The fault of an interruption, with the state that things are left in: from who stopped, else as the command says. */
function stopped(terminal: Terminal, command: AnyCommand | undefined, error: unknown): Fault {
  const terminated = terminal.interrupted.reason === 'SIGTERM'
  const said =
    error instanceof Fault && error.message !== ''
      ? error.message
      : `stopped. ${command?.leaves ?? 'Nothing was changed'}`
  const hint = error instanceof Fault ? error.hint : undefined
  return new Fault(terminated ? 'terminated' : 'cancelled', said, {
    cause: error,
    ...(hint === undefined ? {} : { hint })
  })
}
