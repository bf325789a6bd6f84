import type { Provider } from '../port/provider.ts'
import { changes, list } from './changes.ts'
import { FACTS } from './facts.ts'
import { findPlaceName, folders } from './folders.ts'
import { lookUp, read } from './read.ts'

import { identify } from './requests.ts'

/** Folders of Google Drive and their documents. */
export const cloudDriveProvider: Provider = {
  facts: FACTS,
  identify,
  changes,
  list,
  read,
  lookUp,
  folders,
  findPlaceName
}
