import type { Entry } from '../command.ts'
import { compact } from '../commands/device/compact.ts'
import { diff } from '../commands/device/diff.ts'
import { exportCollection } from '../commands/device/export-collection.ts'
import { forget } from '../commands/device/forget.ts'
import { importSnapshot } from '../commands/device/import-snapshot.ts'
import { init } from '../commands/device/init.ts'
import { list } from '../commands/device/list.ts'
import { merge } from '../commands/device/merge.ts'
import { search } from '../commands/device/search.ts'
import { show } from '../commands/device/show.ts'
import { stats } from '../commands/device/stats.ts'
import { store } from '../commands/device/store.ts'
import { verify } from '../commands/device/verify.ts'

/** What stands below `memctl device`. */
export const DEVICE_COMMANDS: readonly Entry[] = [
  init,
  store,
  search,
  list,
  show,
  forget,
  exportCollection,
  importSnapshot,
  stats,
  verify,
  compact,
  diff,
  merge
]
