import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The shared evaluation data, which is no part of this project and lies beside it. */
export const data = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'shared', 'data')

export const hasData = existsSync(join(data, 'carb')) && existsSync(join(data, 'sets'))

/** The gold tuples of CaRB's development set by sentence: relation first, then the arguments. */
export function carbTuples() {
  const tuples = new Map()
  for (const line of readFileSync(join(data, 'carb', 'dev.tsv'), 'utf8').split('\n')) {
    const [sentence, ...tuple] = line.split('\t')
    if (sentence === '') continue
    if (!tuples.has(sentence)) tuples.set(sentence, [])
    tuples.get(sentence).push(tuple)
  }
  return tuples
}

/** The turns of the shared conversations. */
export function turns() {
  return readFileSync(join(data, 'sets', 'locomo', 'corpus.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

export function sourceOf(text, speaker) {
  return { text, at: undefined, speaker, title: undefined }
}
