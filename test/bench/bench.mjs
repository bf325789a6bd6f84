/**
 * `npm run bench`: speed and size in one run. Each section is a file in `sections/` with a title and a function that
 * returns the lines of its report; a new one is added to the list. Arguments select sections: `node
 * test/bench/bench.mjs index`. `BENCH_TINY=1` runs one tiny round of each and stores no results.
 */
import { keepResults } from './results-file.mjs'
import { SECTIONS } from './sections.mjs'
import { IS_TINY } from './sized.mjs'

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
    if (!IS_TINY) keepResults(title, 'npm run bench', lines)
  }
}
