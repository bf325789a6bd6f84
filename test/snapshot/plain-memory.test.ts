import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ParsedLine } from '../../src/snapshot/record/check-record-shape.ts'
import { serializeRecord, sha256 } from '../../src/snapshot/record/compute-check.ts'
import { parseAnyLine } from '../../src/snapshot/record/parse-line.ts'
import { parsePlainMemory } from '../../src/snapshot/record/parse-plain-memory.ts'
import { MEMBERS, readMemberText } from '../../src/snapshot/record/record-view.ts'
import { json, runs } from './arbitraries.ts'
import { memory } from './builders.ts'

/** Copies everything reported about a line from the object that the next line overwrites. */
function said(judged: ParsedLine | string | undefined): object | string | undefined {
  if (typeof judged !== 'object') return judged
  const { view, ...rest } = judged
  const members = Object.entries(MEMBERS).map(([name, member]) => [name, readMemberText(view, member)])
  return { ...rest, members, canonical: view.canonical, suffix: view.suffix, start: view.start, end: view.end }
}

/** Parses the line between others, as in the buffer of a reader. */
function bothWays(line: Uint8Array): { short: unknown; long: unknown } {
  const bytes = Buffer.concat([Buffer.from('before\n'), line, Buffer.from('\nafter')])
  const place = [7, 7 + line.length] as const
  return { short: said(parsePlainMemory(bytes, ...place)), long: said(parseAnyLine(bytes, ...place)) }
}

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '"', '\\', '\u0000', '\u001f', '\u007f', '\u0080', 'é', '😀', '\n', '","text":"', '{"a":[1]}')
)
const optional = fc.record(
  {
    speaker: text,
    conversation: text,
    copy: fc.integer({ min: 2, max: 1e15 - 1 }),
    position: fc.integer({ min: -(1e15 - 1), max: 1e15 - 1 }),
    undated: fc.constant<true>(true)
  },
  { requiredKeys: [] }
)

test('validates every memory without nested values on the fast path, with the same result as the scanner', () => {
  fc.assert(
    fc.property(text, optional, fc.nat(), (text, more, extractor) => {
      const { short, long } = bothWays(Buffer.from(serializeRecord(memory({ text, extractor, ...more }))))
      expect(short).toEqual(long)
      expect(short).toMatchObject({ kind: 'memory', canonical: true, extractor, position: more.position })
    }),
    runs(1000)
  )
})

/** JSON texts, many of them not as memctl writes them, some of them invalid; one byte per character. */
const latin1 = (text: string): string => Buffer.from(text).toString('latin1')
const spelling = fc
  .oneof(
    { weight: 6, arbitrary: fc.constantFrom('"a"', '"b c"', '"é"', '0', '7', '-3', 'true') },
    fc.constantFrom(
      ...[
        '"\\u0041"',
        '"\\/"',
        '"\\n"',
        '"\\u000a"',
        '"\\u001F"',
        '"\\u001f"',
        '"\\ud800"',
        '"\\ud83d\\ude00"',
        '"\ufeff"'
      ],
      ...[
        '"a","b":"c"',
        '"a","text":"b"',
        '1.0',
        '1e3',
        '01',
        '-0',
        '1',
        '2',
        '999999999999999',
        '1000000000000000',
        '+1'
      ],
      ...['null', '[]', '{}', '{"b":1,"a":2}', '"a', 'a"', '', ' "a"', '"a" ', '"\t"', '"\u0000"', '"a\nb"', 'false']
    ),
    fc.constantFrom('"2026-01-02T03:04:05.000Z"', '"2026-13-02T03:04:05.000Z"', '"2026-01-32T03:04:05.000Z"', '"2026"'),
    json.map((value) => JSON.stringify(value))
  )
  .map(latin1)
const broken = fc.constantFrom('"\xff"', '"\xc3"', '"\xed\xa0\x80"', '"\xf4\x90\x80\x80"', '"\xc0\x80"')
const odd = fc.oneof({ weight: 9, arbitrary: spelling }, { weight: 1, arbitrary: broken })
const mostly = (...usual: string[]): fc.Arbitrary<string> =>
  fc.oneof({ weight: 15, arbitrary: fc.constantFrom(...usual.map(latin1)) }, { weight: 1, arbitrary: odd })
const maybe = (value: fc.Arbitrary<string>): fc.Arbitrary<string | undefined> => fc.option(value, { nil: undefined })
const words = mostly('""', '"a"', '"é"', '"\\""', '"\\u0001"', '"😀\\n"')
const AT = '"2026-01-02T03:04:05.000Z"'

/**
 * Lines that claim to be memories, with members in any spelling, and with the id and check of these very bytes, so that
 * only the grammar can reject them.
 */
const claim = fc
  .record({
    at: mostly(AT),
    conversation: maybe(words),
    copy: maybe(mostly('2', '10')),
    extractor: mostly('0', '3'),
    position: maybe(mostly('0', '-7')),
    speaker: maybe(words),
    text: words,
    type: mostly('"memory"'),
    undated: maybe(mostly('true'))
  })
  .map((raw) => {
    const at = raw.undated === undefined ? raw.at : 'null'
    const identity = [
      '"memctl.memory.1"',
      raw.text,
      raw.speaker ?? 'null',
      at,
      raw.conversation ?? 'null',
      raw.copy ?? '1'
    ]
    const hash = sha256(Buffer.from(`[${identity.join(',')}]`, 'latin1'))
    const { at: first, conversation, copy, extractor, ...last } = raw
    const members = { at: first, conversation, copy, extractor, id: `"mem_${hash.slice(0, 32)}"`, ...last }
    const present = Object.entries(members).filter(([, spelled]) => spelled !== undefined)
    const unchecked = `{${present.map(([name, spelled]) => `"${name}":${spelled}`).join(',')}}`
    const check = sha256(Buffer.from(unchecked, 'latin1'))
    return Buffer.from(`${unchecked.slice(0, -1)},"check":"${check}"}`, 'latin1')
  })

test('accepts on the fast path only what the scanner accepts with the same result, in any spelling', () => {
  let taken = 0
  fc.assert(
    fc.property(claim, (line) => {
      const { short, long } = bothWays(line)
      if (short === undefined) return
      taken++
      expect(short).toEqual(long)
    }),
    runs(5000)
  )
  expect(taken).toBeGreaterThan(runs(5000).numRuns / 2)
})

test('rejects a plain line with any byte changed, removed or added', () => {
  const line = Buffer.from(serializeRecord(memory({ text: 'a "b" é', speaker: 'Ada', conversation: 'c', position: 1 })))
  expect(bothWays(line).short).toMatchObject({ kind: 'memory' })
  for (let at = 0; at < line.length; at++) {
    const [before, after] = [line.subarray(0, at), line.subarray(at + 1)]
    for (const byte of [[], [0x22], [0x5c], [0xe9], [line[at] as number, 0x20], [(line[at] as number) ^ 1]]) {
      const spoiled = Buffer.concat([before, Buffer.from(byte), after])
      if (!spoiled.equals(line)) expect(bothWays(spoiled).short).toBeUndefined()
    }
  }
})

test('rejects a line with the id or check of another', () => {
  const record = memory({ text: 'a' })
  const { id } = memory({ text: 'b' })
  for (const line of [
    serializeRecord({ ...record, id: id as string }),
    serializeRecord(record).replace('"text":"a"', '"text":"b"')
  ]) {
    const { short, long } = bothWays(Buffer.from(line))
    expect(short).toBeUndefined()
    expect(long).toEqual(expect.any(String))
  }
})

test('scans a very long line', () => {
  const { short, long } = bothWays(Buffer.from(serializeRecord(memory({ text: 'x'.repeat(100_000) }))))
  expect(short).toBeUndefined()
  expect(long).toMatchObject({ kind: 'memory' })
})
