import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { file, memory, memoryLine } from '../../snapshot/builders.ts'
import type { Surroundings } from './kinds.ts'

type Name = (what: string) => string

const FIRST = { text: 'Ada moved to Lisbon in May', speaker: 'Ben' }

/** The id of the first memory of the default snapshot in every home. */
export const MEMORY_ID = String(memory(FIRST).id)

const memories = (name: Name) => [
  // The id does not depend on the metadata or on extracted entries.
  { ...FIRST, metadata: { [name('key')]: name('value') }, facts: [factOf(name)] },
  { text: name('Ben prefers tea since Lisbon'), speaker: name('Ben'), conversation: name('chat') },
  { text: name('The old address was 4 Harbour Lane'), speaker: 'Ada' }
]

const factOf = (name: Name) => ({
  subject: name('Ada'),
  predicate: name('lives in'),
  value: name('Lisbon'),
  rule: name('rule'),
  span: [0, 3]
})

/** Identical home folders: a default snapshot with three memories, and two snapshots in the current folder. */
export type Homes = {
  /** Creates a new home folder. */
  fresh(environment: Readonly<Record<string, string>>): Surroundings
  remove(): void
}

/** File systems limit a name to 255 bytes. */
const NAME_CHARACTERS_MAX = 80

/**
 * Creates the first home; the others are copies of it. `name` converts the texts in it and the names of its folders.
 */
export function caseHomes(name: Name = (what) => what): Homes {
  const all = realpathSync(mkdtempSync(join(tmpdir(), 'memctl-cases-')))
  const first = join(all, 'first')
  const data = join(first, '.local/share/memctl')
  const work = name('work').replaceAll('/', '').slice(0, NAME_CHARACTERS_MAX)
  for (const folder of [data, join(first, work), join(first, 'tmp')]) mkdirSync(folder, { recursive: true })
  const lines = memories(name).map((one) => memoryLine(one))
  writeFileSync(join(data, 'memctl.mem.jsonl'), file(...lines), { mode: 0o600 })
  writeFileSync(join(first, work, 'a.mem.jsonl'), file(...lines.slice(0, 2)))
  writeFileSync(join(first, work, 'b.mem.jsonl'), file(...lines.slice(1)))
  let count = 0
  return {
    fresh(environment) {
      const home = join(all, String(++count))
      cpSync(first, home, { recursive: true })
      return { home, folder: join(home, work), environment: { TMPDIR: join(home, 'tmp'), ...environment } }
    },
    remove: () => rmSync(all, { recursive: true, force: true })
  }
}
