import { Fault } from '../contract/faults.ts'
import type { Terminal, World } from '../ports.ts'
import type { AnyCommand } from './command.ts'

/** How long a command may take to come to a clean stop after Ctrl-C, in milliseconds. */
const STOP_GRACE_MS = 1500

/**
 * Does a command's work. After SIGINT or SIGTERM it rejects with the fault of an interruption, as soon as the work stops or
 * a moment later, and says in what state things are left.
 */
export async function unlessStopped(command: AnyCommand, world: World, work: () => Promise<void>): Promise<void> {
  const over = new AbortController()
  try {
    await (command.blocks ? work() : Promise.race([work(), stopAfterGrace(world, over.signal)]))
  } catch (error) {
    throw isStop(error) && world.terminal.interrupted.aborted ? stopped(command, world.terminal, error) : error
  } finally {
    over.abort()
  }
}

/** Never resolves: rejects when the work has been interrupted and does not stop by its own doing. */
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

/** The words of who stopped, else of the command. */
function stopped(command: AnyCommand, { interrupted }: Terminal, error: unknown): Fault {
  const own = error instanceof Fault && error.message !== '' ? error : undefined
  const more = { cause: error, ...(own && { hint: own.hint, next: [...own.next] }) }
  const code = interrupted.reason === 'SIGTERM' ? 'terminated' : 'cancelled'
  return new Fault(code, own?.message ?? `stopped. ${command.leaves}`, more)
}
