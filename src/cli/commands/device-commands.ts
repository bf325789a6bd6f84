import type { Entry } from '../command/command.ts'
import { compactCommand } from './device/compact-command.ts'
import { correctCommand } from './device/correct-command.ts'
import { diffCommand } from './device/diff-command.ts'
import { exportCollectionCommand } from './device/export-collection-command.ts'
import { forgetCommand } from './device/forget-command.ts'
import { importSnapshotCommand } from './device/import-snapshot-command.ts'
import { ingestCommand } from './device/ingest-command.ts'
import { initCommand } from './device/init-command.ts'
import { listCommand } from './device/list-command.ts'
import { mergeCommand } from './device/merge-command.ts'
import { searchCommand } from './device/search-command.ts'
import { showCommand } from './device/show-command.ts'
import { statsCommand } from './device/stats-command.ts'
import { storeCommand } from './device/store-command.ts'
import { verifyCommand } from './device/verify-command.ts'
import { whyCommand } from './device/why-command.ts'

/** What stands below `memctl device`. */
export const DEVICE_COMMANDS: readonly Entry[] = [
  initCommand,
  storeCommand,
  ingestCommand,
  searchCommand,
  listCommand,
  showCommand,
  whyCommand,
  correctCommand,
  forgetCommand,
  exportCollectionCommand,
  importSnapshotCommand,
  statsCommand,
  verifyCommand,
  compactCommand,
  diffCommand,
  mergeCommand
]
