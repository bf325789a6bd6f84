import type { AppendWitness } from '../snapshot/append.ts'
import type { DeviceWorld } from './device-world.ts'
import { indexFiles } from './index-files.ts'
import { isStamped, type Stamp } from './stamp.ts'

/**
 * Keeps the stamp of a file's index in step with our own appends: where it fitted before one, the indexed bytes are still
 * the same after it, and the next search needs the new lines only.
 *
 * Not noticed is a program without our lock that changes bytes in place, without changing the size, within the same step
 * of the file system's clock as the append: the file then looks as the stamp says. What a search shows is read and
 * checked even then; only words that were changed so are not found, until the file is next changed.
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
      if (fitting !== undefined) files.setStamp({ ...fitting, facts })
    }
  }
}
