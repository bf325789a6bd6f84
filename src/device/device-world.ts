import { Fault } from '../contract/faults.ts'
import type { World } from '../ports.ts'
import type { AppendWitness } from '../snapshot/append-lines.ts'
import { toSystemFault } from '../snapshot/file/to-system-fault.ts'
import type { SurveyHelp } from '../snapshot/survey.ts'
import type { DeviceOptions } from './device.ts'

/** The ports that the device runtime needs. */
export type DeviceWorld = Pick<World, 'clock' | 'ids' | 'files' | 'self' | 'folders' | 'assets' | 'threads'>

/** Runs work on a file, and converts system errors to faults that name the operation. */
export async function withSystemFaults<T>(doing: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toSystemFault(error, doing)
  }
}

/** The synchronous variant of `withSystemFaults`. */
export function withSystemFaultsSync<T>(doing: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw toSystemFault(error, doing)
  }
}

/** Returns how to read a large file: in threads if available, and so that the caller can cancel it. */
export function createSurveyHelp({ clock, threads }: DeviceWorld, signal?: AbortSignal, state = ''): SurveyHelp {
  const pause = async (): Promise<void> => {
    await clock.wait(0)
    stopIfAborted(signal, state)
  }
  return { threads, pause }
}

/** Throws if the caller has cancelled the operation. */
export function stopIfAborted(signal: AbortSignal | undefined, state: string): void {
  if (signal?.aborted) throw new Fault('cancelled', `stopped; ${state}`)
}

/** What the parts of a device share: the world, the file's path as given, and the options. */
export type Opened = {
  world: DeviceWorld
  path: string
  options: DeviceOptions
  /** Returns a witness that keeps the index's stamp up to date after our own appends to the file at this real path. */
  witness(realPath: string): AppendWitness
}
