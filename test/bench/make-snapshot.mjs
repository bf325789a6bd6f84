import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runMemctl } from './run-process.mjs'

/** The lines of a batch file for these memories. */
export function batchLines(memories) {
  return memories.map(
    ({ text, at, ...fields }) => `${JSON.stringify({ raw_text: text, at: new Date(at).toISOString(), ...fields })}\n`
  )
}

/** A snapshot of memories in a bench folder, made by the product itself. Gives its path. */
export function makeSnapshot({ folder, env }, name, memories) {
  const batch = join(folder, `${name}.jsonl`)
  const path = join(folder, `${name}.mem.jsonl`)
  writeFileSync(batch, batchLines(memories).join(''))
  runMemctl(['device', 'init', path], env)
  runMemctl(['device', 'store', '--batch', batch, '--snapshot', path], env)
  return path
}
