import { openDevice } from '../../src/device/open-device.ts'
import type { Files } from '../../src/ports.ts'
import { nodeAssets } from '../node/node-assets.ts'
import { nodeClock } from '../node/node-clock.ts'
import { nodeFiles } from '../node/node-files.ts'
import { nodeFolders } from '../node/node-folders.ts'
import { nodeIds } from '../node/node-ids.ts'
import { nodeSelf } from '../node/node-self.ts'

/** The program of a child process that updates the cached index of a snapshot and sends its progress in percent. */
const [path = '', cache = ''] = process.argv.slice(2)
process.once('disconnect', () => process.exit())
const files = countReads(nodeFiles, (percent) => process.send?.(percent))
const folders = { ...nodeFolders(), cache }
const world = { clock: nodeClock, ids: nodeIds, files, self: nodeSelf(), assets: nodeAssets, folders }
const device = openDevice(world, path)
await device.recent({ limit: 1 })
device.close()
process.disconnect?.()

/** Reports how far the snapshot has been read. */
function countReads(real: Files, report: (percent: number) => void): Files {
  const size = real.find(path)?.size ?? 0
  let told = 0
  return {
    ...real,
    read(fd, into, at) {
      const percent = size === 0 ? 0 : Math.min(99, Math.floor((at * 100) / size))
      if (percent > told) {
        told = percent
        report(percent)
      }
      return real.read(fd, into, at)
    }
  }
}
