import type { DeviceModule } from '../src/cli/ports/lazy-modules.ts'
import { createSnapshot } from '../src/device/create-snapshot.ts'
import { diffSnapshots } from '../src/device/diff-snapshots.ts'
import { openExistingExport } from '../src/device/existing-export.ts'
import { dropIndex } from '../src/device/index/index-files.ts'
import { mergeSnapshots } from '../src/device/merge-snapshots.ts'
import { openDevice } from '../src/device/open-device.ts'
import { receiveSnapshot } from '../src/device/receive-snapshot.ts'
import { splitSnapshot } from '../src/device/split-snapshot.ts'
import { findLockHolder } from '../src/snapshot/file/with-lock.ts'
import { parseJsonText } from '../src/snapshot/json/json.ts'

/** The device runtime for the commands. It is loaded as one file, because many small files load more slowly. */
export const deviceModule: DeviceModule = {
  open: openDevice,
  create: createSnapshot,
  diff: diffSnapshots,
  merge: mergeSnapshots,
  receive: receiveSnapshot,
  openExistingExport,
  parts: splitSnapshot,
  lockHolder: findLockHolder,
  dropIndex,
  parseJson: parseJsonText
}
