import type { Entry } from '../../command.ts'
import { compact } from './compact.ts'
import { diff } from './diff.ts'
import { exportCollection } from './export-collection.ts'
import { forget } from './forget.ts'
import { importSnapshot } from './import-snapshot.ts'
import { init } from './init.ts'
import { list } from './list.ts'
import { merge } from './merge.ts'
import { search } from './search.ts'
import { show } from './show.ts'
import { stats } from './stats.ts'
import { store } from './store.ts'
import { verify } from './verify.ts'

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
