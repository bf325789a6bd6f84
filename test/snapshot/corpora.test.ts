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

test('no case of JSONTestSuite is a snapshot', ({ skip }) => {
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

test('of JSONTestSuite as input, what must be JSON is taken as its value, and what must not be is refused', ({
  skip
}) => {
  skip(suite.missing, suite.why)
  for (const { name, bytes } of parsingCases()) {
    const parsed = parseJson(bytes)
    if (name.startsWith('n_')) expect(parsed, name).toHaveProperty('fault')
    if (!name.startsWith('y_')) continue
    if (name.includes('duplicated_key')) expect(parsed, name).toEqual({ fault: 'has a key twice' })
    else expect(parsed, name).toEqual({ value: JSON.parse(bytes.toString()) })
  }
})

test('of what JSONTestSuite leaves open, only what every reader understands alike is taken', ({ skip }) => {
  skip(suite.missing, suite.why)
  const taken = parsingCases().filter(({ name, bytes }) => name.startsWith('i_') && 'value' in parseJson(bytes))
  expect(taken.map(({ name }) => name)).toEqual([])
})

test('every case of JSONTestSuite as a line of a file is damage of that line alone', ({ skip }) => {
  skip(suite.missing, suite.why)
  const cases = parsingCases().filter(({ bytes }) => bytes.length > 0 && !bytes.includes(0x0a) && !bytes.includes(0x0d))
  expect(cases.length).toBeGreaterThan(250)
  const line = memoryLine({ text: 'sound' })
  for (const { name, bytes } of cases) {
    expect(damageOf(file(bytes, line)), name).toEqual([expect.stringMatching(/^2 ./)])
  }
})

test('canonical text is that of the vectors of RFC 8785', ({ skip }) => {
  skip(jcs.missing, jcs.why)
  const names = readdirSync(new URL('testdata/input/', jcs.folder))
  expect(names.length).toBeGreaterThan(5)
  for (const name of names) {
    const input = readFileSync(new URL(`testdata/input/${name}`, jcs.folder), 'utf8')
    const output = readFileSync(new URL(`testdata/output/${name}`, jcs.folder), 'utf8')
    expect(toCanonicalJson(JSON.parse(input)), name).toBe(output)
  }
})

test('naughty strings come back byte for byte, as text, as speaker, in metadata, as keys', ({ skip }) => {
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
