import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseJson, toCanonicalJson } from '../../src/snapshot/json/json.ts'
import { readSnapshot } from '../../src/snapshot/read-snapshot.ts'
import { serializeRecord } from '../../src/snapshot/record/compute-check.ts'
import { verifySnapshot } from '../../src/snapshot/verify-snapshot.ts'
import { damageOf, file, memoryLine, sourceOf, thrown, united } from './builders.ts'
import { corpus } from './corpora.ts'

const suite = corpus('JSONTestSuite')
const jcs = corpus('jcs')
const blns = corpus('blns')

function parsingCases(): { name: string; bytes: Buffer }[] {
  const folder = new URL('test_parsing/', suite.folder)
  return readdirSync(folder).map((name) => ({ name, bytes: readFileSync(new URL(encodeURIComponent(name), folder)) }))
}

test('accepts no case of JSONTestSuite as a snapshot', ({ skip }) => {
  skip(suite.missing, suite.why)
  const cases = parsingCases()
  expect(cases).toHaveLength(318)
  for (const { name, bytes } of cases) {
    expect(
      thrown(() => readSnapshot(sourceOf(bytes), () => undefined)),
      name
    ).toMatchObject({ code: 'not_a_snapshot' })
  }
})

test('accepts every valid case of JSONTestSuite as input with its value, and rejects every invalid one', ({ skip }) => {
  skip(suite.missing, suite.why)
  for (const { name, bytes } of parsingCases()) {
    const parsed = parseJson(bytes)
    if (name.startsWith('n_')) expect(parsed, name).toHaveProperty('fault')
    if (!name.startsWith('y_')) continue
    if (name.includes('duplicated_key')) expect(parsed, name).toEqual({ fault: 'has a key twice' })
    else expect(parsed, name).toEqual({ value: JSON.parse(bytes.toString()) })
  }
})

test('accepts undefined cases of JSONTestSuite only if every reader understands them alike', ({ skip }) => {
  skip(suite.missing, suite.why)
  const taken = parsingCases().filter(({ name, bytes }) => name.startsWith('i_') && 'value' in parseJson(bytes))
  expect(taken.map(({ name }) => name)).toEqual([])
})

test('treats every case of JSONTestSuite within a file as damage of that line only', ({ skip }) => {
  skip(suite.missing, suite.why)
  const cases = parsingCases().filter(({ bytes }) => bytes.length > 0 && !bytes.includes(0x0a) && !bytes.includes(0x0d))
  expect(cases.length).toBeGreaterThan(250)
  const line = memoryLine({ text: 'sound' })
  for (const { name, bytes } of cases) {
    expect(damageOf(file(bytes, line)), name).toEqual([expect.stringMatching(/^2 ./)])
  }
})

test('writes the canonical text of the RFC 8785 vectors', ({ skip }) => {
  skip(jcs.missing, jcs.why)
  const names = readdirSync(new URL('testdata/input/', jcs.folder))
  expect(names.length).toBeGreaterThan(5)
  for (const name of names) {
    const input = readFileSync(new URL(`testdata/input/${name}`, jcs.folder), 'utf8')
    const output = readFileSync(new URL(`testdata/output/${name}`, jcs.folder), 'utf8')
    expect(toCanonicalJson(JSON.parse(input)), name).toBe(output)
  }
})

test('preserves naughty strings byte for byte as text, speaker, metadata and keys', ({ skip }) => {
  skip(blns.missing, blns.why)
  const strings = JSON.parse(readFileSync(new URL('blns.json', blns.folder), 'utf8')) as string[]
  expect(strings.length).toBeGreaterThan(400)
  const lines = strings.map((text, position) =>
    memoryLine({ text, speaker: text, conversation: `${position}`, position, metadata: { [text]: [text] } })
  )
  for (const form of ['jsonl', 'json'] as const) {
    const bytes = united([united([file(...lines)], { form })])
    expect(verifySnapshot(sourceOf(bytes)).sound).toBe(true)
    const [, ...back] = bytes
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(back.map(({ text }) => text)).toEqual(strings)
    expect(back.map(({ metadata }) => metadata)).toEqual(strings.map((text) => ({ [text]: [text] })))
    expect(back.map((record) => serializeRecord(record))).toEqual(lines)
  }
})
