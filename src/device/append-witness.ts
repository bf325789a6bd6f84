import type { AppendWitness } from '../snapshot/append.ts'
import type { DeviceWorld } from './device-world.ts'
import { indexFiles } from './index-files.ts'
import { isStamped, type Stamp } from './stamp.ts'

/**
 * Keeps the stamp of a file's index in step with our own appends: where it fitted before one, the indexed bytes are still
 * the same after it, and the next search needs the new lines only.
 */
export function stampWitness(world: DeviceWorld, realPath: string): AppendWitness {
  const files = indexFiles(world, realPath)
  let fitting: Stamp | undefined
  return {
    before(facts) {
      const stamp = files.stamp()
      fitting = stamp !== undefined && isStamped(stamp, stamp.nonce, facts) ? stamp : undefined
    },
    after(facts) {
      if (fitting !== undefined) files.setStamp({ nonce: fitting.nonce, facts })
    }
  }
}
