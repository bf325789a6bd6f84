import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runNode } from './run-process.mjs'

/** Returns the lines of a batch file for memories. */
export function batchLines(memories) {
  return memories.map(
    ({ text, at, ...fields }) => `${JSON.stringify({ raw_text: text, at: new Date(at).toISOString(), ...fields })}\n`
  )
}

const STORE_PLAIN = fileURLToPath(new URL('store-plain.mjs', import.meta.url))

/** Runs a process that stores a batch into a new snapshot without extraction. */
export function storePlain({ env }, path, batch) {
  return runNode([STORE_PLAIN, path, batch], env)
}

/** Creates a snapshot of memories in a bench folder with the product itself, without extraction. Returns its path. */
export function makeSnapshot(bench, name, memories) {
  const { folder } = bench
  const batch = join(folder, `${name}.jsonl`)
  const path = join(folder, `${name}.mem.jsonl`)
  writeFileSync(batch, batchLines(memories).join(''))
  storePlain(bench, path, batch)
  return path
}
