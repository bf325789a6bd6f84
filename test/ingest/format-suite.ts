import { describe, expect, test } from 'vitest'
import { Fault } from '../../src/contract/faults.ts'
import { detectFormat, findFormat } from '../../src/ingest/detect-format.ts'
import { TreeError, type TreeFile } from '../../src/ingest/port/file-tree.ts'
import { bench } from '../device/device-kit.ts'
import {
  archiveOf,
  batchOf,
  convertTree,
  folderOf,
  type InputFiles,
  ingestPath,
  toBytes,
  treeOf
} from './ingest-kit.ts'

/** A small input of a format that has all that the format can have. */
export type FormatSample = {
  files: InputFiles
  /** Phrases of people and assistants, which a search must find. */
  phrases: readonly string[]
  options?: { me?: string; zone?: string; map?: string }
}

const MUTATIONS = process.env.SLOW ? 10_000 : 50

/** The laws that every format keeps. */
export function testFormat(id: string, sample: FormatSample): void {
  const { files, phrases, options = {} } = sample
  const entries = Object.entries(files)

  describe(`the format ${id}`, () => {
    test('is detected from the content of a folder and of an archive', async () => {
      // A map of members implies its format.
      if (options.map === undefined) expect((await detectFormat(treeOf(files))).facts.id).toBe(id)
      expect((await batchOf(archiveOf(entries), options)).report.format).toBe(id)
    })

    test('counts every item once, as taken, merged or left out', async () => {
      const { report, items } = await convertTree(findFormat(id), treeOf(files), options)
      for (const { seen, taken, merged, left_out } of [report, ...Object.values(report.kinds)])
        expect(seen).toBe(taken + merged + left_out)
      expect(report.taken).toBe(items.filter((item) => 'lines' in item).length)
      expect(report.losses.reduce((sum, { count }) => sum + count, 0)).toBe(report.left_out)
      expect(items.every((item) => !('lines' in item) || item.lines.length > 0)).toBe(true)
    })

    test('gives the same batch for any order of the members of an archive, and for a folder', async () => {
      const sorted = await batchOf(archiveOf(entries), options)
      expect(await batchOf(archiveOf(entries.toReversed()), options)).toEqual(sorted)
      expect(await batchOf(folderOf(files), options)).toEqual(sorted)
    })

    test('stores nothing in a second run', async () => {
      const { device } = await bench()
      const path = folderOf(files)
      const first = await ingestPath(device, path, options)
      expect(first).toMatchObject({ stored: first.lines, known: 0 })
      expect(await ingestPath(device, path, options)).toMatchObject({ stored: 0, known: first.lines, differed: 0 })
    })

    test('makes every phrase of people and assistants findable', async () => {
      const { device } = await bench()
      await ingestPath(device, folderOf(files), options)
      for (const phrase of phrases) {
        const { response } = await device.search(phrase)
        expect(
          response.sources.some(({ text }) => text.includes(phrase)),
          phrase
        ).toBe(true)
      }
    })

    test('leaves out files whose content cannot be read, with the reason', async () => {
      const tree = treeOf(files)
      const { report, items } = await convertTree(findFormat(id), { ...tree, files: tree.files.map(encrypt) }, options)
      expect(items.filter((item) => 'lines' in item)).toEqual([])
      expect(report.losses).toContainEqual(expect.objectContaining({ reason: 'encrypted' }))
    })

    test(`survives ${MUTATIONS} mutated inputs with a report or a fault`, async () => {
      const random = randomNumbers(22)
      for (let round = 0; round < MUTATIONS; round++) {
        const mutated = mutateFiles(files, random)
        try {
          const { report } = await convertTree(findFormat(id), treeOf(mutated), options)
          expect(report.seen).toBe(report.taken + report.merged + report.left_out)
        } catch (error) {
          expect(error).toBeInstanceOf(Fault)
        }
      }
    })
  })
}

function encrypt(file: TreeFile): TreeFile {
  return {
    ...file,
    // biome-ignore lint/correctness/useYield: it fails before the first chunk
    async *read() {
      throw new TreeError('encrypted', `${file.path} is encrypted`)
    }
  }
}

/** Returns a generator of numbers from 0 to 1, which the seed determines (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Changes one file: bytes replaced, removed, repeated, or the end cut off. */
function mutateFiles(files: InputFiles, random: () => number): InputFiles {
  const paths = Object.keys(files)
  const path = paths[Math.floor(random() * paths.length)] ?? ''
  const bytes = Buffer.from(toBytes(files[path] ?? ''))
  const at = Math.floor(random() * bytes.length)
  const count = 1 + Math.floor(random() * 8)
  const ways = [
    () => Buffer.concat([bytes.subarray(0, at), noise(count, random), bytes.subarray(at + count)]),
    () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + count * 10)]),
    () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.max(0, at - count * 20))]),
    () => bytes.subarray(0, at),
    () => swapTokens(bytes, random)
  ]
  return { ...files, [path]: ways[Math.floor(random() * ways.length)]?.() ?? bytes }
}

function noise(count: number, random: () => number): Buffer {
  return Buffer.from(Array.from({ length: count }, () => Math.floor(random() * 256)))
}

/** Replaces a JSON value by one of another type, or a word by another. */
function swapTokens(bytes: Buffer, random: () => number): Buffer {
  const text = bytes.toString('latin1')
  const tokens = [...text.matchAll(/"[^"\n]{0,40}"|\b\d+(?:\.\d+)?\b|\b(?:true|false|null)\b|\[\]|\{\}/g)]
  const token = tokens[Math.floor(random() * tokens.length)]
  if (token === undefined) return bytes
  const others = ['null', '-1', '[]', '{}', '"x"', '1e308', 'true', '""', '[[[[]]]]']
  const other = others[Math.floor(random() * others.length)] ?? 'null'
  return Buffer.from(text.slice(0, token.index) + other + text.slice(token.index + token[0].length), 'latin1')
}
