import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { dataFolder, sourceOf } from '../../bench/shared-data.mjs'
import { file } from '../../snapshot/builders.ts'
import { collection, liveLines, offline, parsed, question, recallBench } from './recall-kit.ts'

const COLLECTION = '00000000-0000-7000-8000-00000000000a'
const MEMORIES = process.env.SLOW ? 2000 : 200
const QUERIES = process.env.SLOW ? 100 : 10

function linesOf(set: string, name: string) {
  const text = readFileSync(`${dataFolder}/sets/${set}/${name}.jsonl`, 'utf8')
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

test.for(['locomo', 'cacm', 'cranfield'])(
  'a collection of %s answers as the file of its lines does',
  { timeout: 60_000 },
  async (set, { skip }) => {
    skip(!existsSync(`${dataFolder}/sets/${set}`), `needs ${set} in ../shared/data/sets`)
    const bench = await recallBench()
    await collection(bench.storage, COLLECTION)
    const entries = linesOf(set, 'corpus').slice(0, MEMORIES)
    const remembered = await Promise.all(
      entries.map((entry, number) => {
        const { text, at, ...fields } = sourceOf(entry)
        const metadata = { ...fields, ...(at === undefined ? {} : { at: new Date(at).toISOString() }) }
        return bench.engine.remember({ text, metadata: JSON.parse(JSON.stringify(metadata)), nowMs: number, copy: 1 })
      })
    )
    for (const { batch } of remembered) await bench.storage.append(COLLECTION, batch)
    const ask = await offline(file(...(await liveLines(bench.storage, [COLLECTION]))))
    for (const { text } of linesOf(set, 'queries').slice(0, QUERIES)) {
      const answer = parsed(await bench.engine.searchCollections([COLLECTION], question(text)))
      expect(answer).toEqual(await ask(text))
    }
  }
)
