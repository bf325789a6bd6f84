import type { Understand } from '../memory/understand.ts'
import type { DeviceOptions } from './types.ts'

/** The extractor, loaded by the first that stores; undefined where the device was opened without one. */
export async function loadUnderstanding({ extract = true }: DeviceOptions): Promise<Understand | undefined> {
  return extract ? (await import('../memory/understand.ts')).understand : undefined
}
