import type { Provider } from '../provider.ts'
import { changes } from './changes.ts'
import { CLOUD_DRIVE_FACTS } from './facts.ts'
import { folders } from './folders.ts'
import { hasPlace } from './has-place.ts'
import { identify } from './identify.ts'
import { list } from './list.ts'
import { lookUp } from './look-up.ts'
import { read } from './read.ts'

/** Folders of Google Drive and their documents. */
export const cloudDrive: Provider = {
  facts: CLOUD_DRIVE_FACTS,
  identify,
  changes,
  list,
  read,
  lookUp,
  folders,
  hasPlace
}
