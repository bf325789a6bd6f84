import { expect, test } from 'vitest'
import { parseMetadata } from '../../src/cli/input/parse-metadata.ts'
import { parseDuration, parseTime } from '../../src/cli/input/parse-time.ts'
import { fakeDevice } from './fake-device.ts'
import { NOW } from './fake-world.ts'

const { parseJson } = fakeDevice().module

test.each([
  ['500ms', 500],
  ['30s', 30_000],
  ['10m', 600_000],
  ['2h', 7_200_000],
  ['1.5h', 5_400_000],
  ['3d', 259_200_000],
  ['1w', 604_800_000],
  ['2', undefined],
  ['2 hours', undefined],
  ['-2h', undefined],
  ['', undefined]
])('parses the duration %s as %s ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms)
})

test.each([
  ['2026-01-31', '2026-01-31T00:00:00.000Z'],
  ['2026-01-31T18:30', '2026-01-31T18:30:00.000Z'],
  ['2026-01-31 18:30:15', '2026-01-31T18:30:15.000Z'],
  ['2026-01-31T18:30:15.1239Z', '2026-01-31T18:30:15.123Z'],
  ['2026-01-31T18:30:00+02:00', '2026-01-31T16:30:00.000Z'],
  ['2026-01-31T18:30:00-0530', '2026-02-01T00:00:00.000Z'],
  ['2h', '2026-05-01T10:00:00.000Z'],
  ['3d ago', '2026-04-28T12:00:00.000Z'],
  ['0000-01-01', '0000-01-01T00:00:00.000Z']
])('parses the time %s as %s in any time zone of the machine', (text, time) => {
  expect(parseTime(text, '--at', NOW)).toBe(time)
})

test.each([
  'yesterday',
  '2026-02-30',
  '2026-13-01',
  '2026-01-31T25:00',
  '2026',
  '0000-01-01T00:00+01:00',
  '999999999w',
  ''
])('rejects the time `%s` and names its flag', (text) => {
  expect(() => parseTime(text, '--at', NOW)).toThrow(`invalid --at '${text}': expected a time`)
})

test('merges metadata given as text, as typed JSON and as an object', () => {
  const metadata = parseMetadata(['a=1', 'b:=1', 'c:={"d":[null]}', '{"e":true}', 'f=x=y', 'g=', 'at=noon'], parseJson)
  expect(metadata).toEqual({ a: '1', b: 1, c: { d: [null] }, e: true, f: 'x=y', g: '', at: 'noon' })
})

test.each([
  ['a:=nope', 'the value of --metadata is not JSON'],
  ['a:=[1', 'the value of --metadata ends too early'],
  ['{"a":1} x', 'the value of --metadata has text that follows it'],
  ['{"a":1,"a":2}', 'the value of --metadata has a key twice']
])('reports the problem with the JSON of %s in one sentence, and hints at the forms', (given, message) => {
  const hint = 'write key=text, key:=JSON, or a JSON object'
  expect(() => parseMetadata([given], parseJson)).toThrow(expect.objectContaining({ message, hint }))
})

test('returns no metadata without a flag', () => {
  expect(parseMetadata([], parseJson)).toBeUndefined()
})

test.each([
  ['no key', ['novalue'], 'usage'],
  ['an empty key', ['=x'], 'usage'],
  ['a duplicate key', ['a=1', 'a=2'], 'usage'],
  ['a duplicate key in JSON', ['{"a":1,"a":2}'], 'malformed_json'],
  ['invalid JSON', ['a:=nope'], 'malformed_json'],
  ['a number beyond a double', ['a:=1e400'], 'malformed_json'],
  ['__proto__ as a key', ['__proto__=x'], 'invalid_input'],
  ['__proto__ in JSON', ['{"__proto__":1}'], 'malformed_json'],
  ['an unclosed object', ['{"a":'], 'malformed_json']
])('rejects metadata with %s', (_name, given, code) => {
  expect(() => parseMetadata(given, parseJson)).toThrow(expect.objectContaining({ code }))
})
