/**
 * `npm run bench`: speed and size, everything in one run. Each section is a file in `sections/` with a title and a
 * function that gives the lines of its report; a new one is a line in the list. With names of sections as arguments
 * only these are run: `node test/bench/bench.mjs index`.
 */
import { keepResults } from './results-file.mjs'
import { connectSection } from './sections/connect-section.mjs'
import { indexSection } from './sections/index-section.mjs'
import { millionSection } from './sections/million-section.mjs'
import { searchSection } from './sections/search-section.mjs'
import { serverSection } from './sections/server-section.mjs'
import { serverWriteSection } from './sections/server-write-section.mjs'
import { snapshotModeSection } from './sections/snapshot-mode-section.mjs'
import { startSection } from './sections/start-section.mjs'
import { storeSection } from './sections/store-section.mjs'
import { syncSection } from './sections/sync-section.mjs'
import { wholeFileSection } from './sections/whole-file-section.mjs'

const SECTIONS = {
  start: startSection,
  store: storeSection,
  'whole-file': wholeFileSection,
  search: searchSection,
  index: indexSection,
  million: millionSection,
  server: serverSection,
  'server-write': serverWriteSection,
  'snapshot-mode': snapshotModeSection,
  connect: connectSection,
  sync: syncSection
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !Object.hasOwn(SECTIONS, name))
if (unknown.length > 0) {
  console.error(`no such section: ${unknown.join(', ')} (there are ${Object.keys(SECTIONS).join(', ')})`)
  process.exitCode = 2
} else {
  for (const name of asked.length > 0 ? asked : Object.keys(SECTIONS)) {
    const { title, run } = SECTIONS[name]
    const lines = await run()
    console.log(`\n${title}\n${lines.join('\n')}`)
    keepResults(title, 'npm run bench', lines)
  }
}
