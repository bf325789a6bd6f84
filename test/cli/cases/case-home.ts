import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { file, memory, memoryLine } from '../../snapshot/builders.ts'
import type { Surroundings } from './kinds.ts'

const MEMORIES = [
  { text: 'Ada moved to Lisbon in May', speaker: 'Ben' },
  { text: 'Ben prefers tea', speaker: 'Ben' },
  { text: 'The old address was 4 Harbour Lane', speaker: 'Ada' }
]

/** Of the first memory of the default snapshot in every home. */
export const MEMORY_ID = String(memory(MEMORIES[0] ?? { text: '' }).id)

/** Homes that are alike: a default snapshot with three memories, two snapshots in the folder where commands are given. */
export type Homes = {
  /** One that nobody else works in. */
  fresh(environment: Readonly<Record<string, string>>): Surroundings
  remove(): void
}

/** Makes the first of them, which the others are copies of. */
export function caseHomes(): Homes {
  const all = realpathSync(mkdtempSync(join(tmpdir(), 'memctl-cases-')))
  const first = join(all, 'first')
  const data = join(first, '.local/share/memctl')
  for (const folder of [data, join(first, 'work'), join(first, 'tmp')]) mkdirSync(folder, { recursive: true })
  const lines = MEMORIES.map((one) => memoryLine(one))
  writeFileSync(join(data, 'memctl.mem.jsonl'), file(...lines), { mode: 0o600 })
  writeFileSync(join(first, 'work', 'a.mem.jsonl'), file(...lines.slice(0, 2)))
  writeFileSync(join(first, 'work', 'b.mem.jsonl'), file(...lines.slice(1)))
  let count = 0
  return {
    fresh(environment) {
      const home = join(all, String(++count))
      cpSync(first, home, { recursive: true })
      return { home, folder: join(home, 'work'), environment: { TMPDIR: join(home, 'tmp'), ...environment } }
    },
    remove: () => rmSync(all, { recursive: true, force: true })
  }
}
