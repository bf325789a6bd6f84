import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataFolder, readLines } from './shared-data.mjs'

export const hasData = existsSync(join(dataFolder, 'carb')) && existsSync(join(dataFolder, 'sets'))

/** Returns the gold tuples of CaRB's development set by sentence: relation first, then the arguments. */
export function carbTuples() {
  const tuples = new Map()
  for (const line of readFileSync(join(dataFolder, 'carb', 'dev.tsv'), 'utf8').split('\n')) {
    const [sentence, ...tuple] = line.split('\t')
    if (sentence === '') continue
    if (!tuples.has(sentence)) tuples.set(sentence, [])
    tuples.get(sentence).push(tuple)
  }
  return tuples
}

/** Returns the turns of the shared conversations. */
export function turns() {
  return readLines(join(dataFolder, 'sets', 'locomo', 'corpus.jsonl'))
}

export function sourceOf(text, speaker) {
  return { text, at: undefined, speaker, title: undefined }
}
