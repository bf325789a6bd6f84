import type { AppendWitness } from '../snapshot/append.ts'
import type { DeviceWorld } from './device-world.ts'
import type { DeviceOptions } from './types.ts'

/** What the parts of a device share: the world, the file's path as it was given, and how it was opened. */
export type Opened = {
  world: DeviceWorld
  path: string
  options: DeviceOptions
  /** Keeps the index's stamp in step with our own appends to the file at this real path. */
  witness(realPath: string): AppendWitness
}
