import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Fault } from '../../src/contract/faults.ts'
import { sha256 } from '../../src/snapshot/record/compute-check.ts'
import { verifySnapshot } from '../../src/snapshot/verify-snapshot.ts'
import { sourceOf, thrown, united } from './builders.ts'

/**
 * Recorded files of the format, created once by an independent program, with the verdict for each. They never change,
 * so that valid files remain readable and rejected ones remain rejected.
 */

const FOLDER = new URL('../vectors/snapshots/v1/', import.meta.url)

type Expected = {
  form: string
  sound: boolean
  memories: number
  forgotten: number
  unknown: number
  known_ids: number
  root_hash: string
  lost: number
  damaged: { line: number; reason: string }[]
  tail: { bytes: number; sound: boolean } | null
  notes: string[]
  canonical_sha256: string
}

type Refused = { fault: string; message: string }

const vectors = ['good', 'odd', 'hostile'].flatMap((folder) =>
  readdirSync(new URL(`${folder}/`, FOLDER))
    .filter((name) => !name.endsWith('.verdict.json'))
    .map((name) => {
      const verdict = new URL(`${folder}/${name.replace(/(\.mem)?\.jsonl?$/, '.verdict.json')}`, FOLDER)
      const expected = JSON.parse(readFileSync(verdict, 'utf8')) as Expected | Refused
      return { name: `${folder}/${name}`, bytes: readFileSync(new URL(`${folder}/${name}`, FOLDER)), expected }
    })
)

test('has a verdict for every vector, and a vector for every verdict', () => {
  const names = readdirSync(FOLDER, { recursive: true }).filter((name) => /\.jsonl?$/.test(String(name)))
  expect(names).toHaveLength(vectors.length * 2)
  expect(vectors.length).toBeGreaterThan(100)
})

for (const { name, bytes, expected } of vectors) {
  if ('fault' in expected) {
    test(`refuses ${name}`, () => {
      const fault = thrown(() => verifySnapshot(sourceOf(bytes)))
      expect(fault).toBeInstanceOf(Fault)
      expect(fault).toMatchObject({ code: expected.fault, message: expect.stringContaining(expected.message) })
    })
    continue
  }

  test(`reads ${name} with the recorded content`, () => {
    const { reading, table, losses, sound, rootHash, notes } = verifySnapshot(sourceOf(bytes, name))
    const { memories, forgotten, unknown } = table.counts()
    expect({
      form: reading.form,
      sound,
      memories,
      forgotten,
      unknown,
      known_ids: table.ids.size,
      root_hash: rootHash,
      lost: losses.lost,
      damaged: reading.damaged.map(({ line }) => line),
      tail: reading.tail ? { bytes: reading.tail.bytes, sound: reading.tail.sound } : null,
      notes: notes.length
    }).toEqual(summary(expected))
    reading.damaged.forEach(({ reason }, i) => {
      expect(reason).toContain(expected.damaged[i]?.reason)
    })
    for (const part of expected.notes) expect(notes).toContainEqual(expect.stringContaining(part))
  })

  test(`writes ${name} in the recorded canonical form`, () => {
    const canonical = united([bytes], { skipDamaged: true })
    expect(sha256(canonical)).toBe(expected.canonical_sha256)
    const again = verifySnapshot(sourceOf(canonical, name))
    expect(again).toMatchObject({ sound: true, rootHash: expected.root_hash, notes: [] })
  })
}

function summary({ canonical_sha256: _, damaged, notes, ...rest }: Expected): object {
  return { ...rest, damaged: damaged.map(({ line }) => line), notes: notes.length }
}
