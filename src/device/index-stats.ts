import { openIndex } from '../search/index/search-index.ts'
import { UnusableIndex } from '../search/index/unusable-index.ts'
import type { Source } from '../snapshot/file/source.ts'
import type { DeviceWorld } from './device-world.ts'
import { readCover } from './index-cover.ts'
import { indexFiles } from './index-files.ts'
import { isStamped } from './stamp.ts'
import type { Stats } from './types.ts'

/** What is in the cache for a file; null where nothing usable is. `fits`: known without reading the file. */
export async function indexStats(world: DeviceWorld, source: Source): Promise<Stats['index']> {
  const files = indexFiles(world, source.path)
  const bytes = files.load()
  if (bytes === undefined) return null
  try {
    const index = await openIndex(world.assets, bytes)
    const cover = readCover(index)
    const fits =
      cover !== undefined &&
      isStamped(files.stamp(), cover.nonce, source.facts) &&
      cover.proof.end === source.facts.size
    const stats = { bytes: bytes.length, memories: index.count, fits }
    index.close()
    return stats
  } catch (error) {
    if (error instanceof UnusableIndex) return null
    throw error
  }
}
