import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Metadata } from '../../../src/contract/snapshot.ts'
import { file } from '../../snapshot/builders.ts'
import { collection, liveLines, offline, parsed, question, recallBench } from './recall-kit.ts'

const COLLECTION = '00000000-0000-7000-8000-00000000000a'
const SETS = new URL('../../../../shared/data/sets/', import.meta.url)
const MEMORIES = process.env.SLOW ? 2000 : 100
const QUERIES = process.env.SLOW ? 100 : 10

type Entry = { text: string; title?: string; speaker?: string; group?: string; session?: number; pos?: number }

function linesOf(set: string, name: string, count: number): Entry[] {
  const lines = readFileSync(new URL(`${set}/${name}.jsonl`, SETS), 'utf8').split('\n')
  return lines.slice(0, count).map((line) => JSON.parse(line))
}

/** Turns are a minute apart. */
function metadataOf({ title, speaker, group, session, pos }: Entry, number: number): Metadata {
  const at = new Date(Date.UTC(2024, 0, 1, 0, number)).toISOString()
  const turn = session === undefined ? {} : { conversation: `${group}#${session}`, position: pos ?? 0, at }
  return { ...turn, ...(title === undefined ? {} : { title }), ...(speaker === undefined ? {} : { speaker }) }
}

test.for(['locomo', 'cacm', 'cranfield'])(
  'answers from a collection of %s like from the file of its lines',
  async (set, { skip }) => {
    skip(!existsSync(new URL(set, SETS)), `needs ${set} in ../shared/data/sets`)
    const bench = await recallBench()
    await collection(bench.storage, COLLECTION)
    const inputs = linesOf(set, 'corpus', MEMORIES).map((entry, number) => {
      return { text: entry.text, metadata: metadataOf(entry, number), nowMs: number, copy: 1 }
    })
    const remembered = await Promise.all(inputs.map((input) => bench.engine.remember(input)))
    for (const { batch } of remembered) await bench.storage.append(COLLECTION, batch)
    const ask = await offline(file(...(await liveLines(bench.storage, [COLLECTION]))))
    for (const { text } of linesOf(set, 'queries', QUERIES)) {
      const answer = parsed(await bench.engine.searchCollections([COLLECTION], question(text)))
      expect(answer).toEqual(await ask(text))
    }
  }
)
