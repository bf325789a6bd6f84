import { Fault } from '../contract/faults.ts'
import type { World } from '../ports.ts'
import type { AppendWitness } from '../snapshot/append-lines.ts'
import { toSystemFault } from '../snapshot/file/to-system-fault.ts'
import type { SurveyHelp } from '../snapshot/survey.ts'
import type { DeviceOptions } from './device.ts'

/** What the device runtime needs of the world. */
export type DeviceWorld = Pick<World, 'clock' | 'ids' | 'files' | 'self' | 'folders' | 'assets' | 'threads'>

/** Runs work on a file; a system call that is refused becomes a fault that says what was being done. */
export async function withSystemFaults<T>(doing: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toSystemFault(error, doing)
  }
}

/** The same for work that does not wait. */
export function withSystemFaultsSync<T>(doing: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw toSystemFault(error, doing)
  }
}

/** How a large file is read: by threads where there are some, and so that a caller can give up in the middle. */
export function createSurveyHelp({ clock, threads }: DeviceWorld, signal?: AbortSignal, state = ''): SurveyHelp {
  const pause = async (): Promise<void> => {
    await clock.wait(0)
    stopIfAborted(signal, state)
  }
  return { threads, pause }
}

/** Throws where a caller has given up waiting. */
export function stopIfAborted(signal: AbortSignal | undefined, state: string): void {
  if (signal?.aborted) throw new Fault('cancelled', `stopped; ${state}`)
}

/** What the parts of a device share: the world, the file's path as it was given, and how it was opened. */
export type Opened = {
  world: DeviceWorld
  path: string
  options: DeviceOptions
  /** Keeps the index's stamp in step with our own appends to the file at this real path. */
  witness(realPath: string): AppendWitness
}
