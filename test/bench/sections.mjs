import { connectSection } from './sections/connect-section.mjs'
import { indexSection } from './sections/index-section.mjs'
import { ingestSection } from './sections/ingest-section.mjs'
import { mcpSection } from './sections/mcp-section.mjs'
import { millionSection } from './sections/million-section.mjs'
import { searchSection } from './sections/search-section.mjs'
import { serverSection } from './sections/server-section.mjs'
import { serverWriteSection } from './sections/server-write-section.mjs'
import { snapshotModeSection } from './sections/snapshot-mode-section.mjs'
import { startSection } from './sections/start-section.mjs'
import { storeSection } from './sections/store-section.mjs'
import { syncSection } from './sections/sync-section.mjs'
import { wholeFileSection } from './sections/whole-file-section.mjs'

/** All sections by name, in run order. */
export const SECTIONS = {
  start: startSection,
  store: storeSection,
  'whole-file': wholeFileSection,
  search: searchSection,
  index: indexSection,
  million: millionSection,
  mcp: mcpSection,
  server: serverSection,
  'server-write': serverWriteSection,
  'snapshot-mode': snapshotModeSection,
  ingest: ingestSection,
  connect: connectSection,
  sync: syncSection
}
