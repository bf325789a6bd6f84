import { expect, test } from 'vitest'
import { readBody } from '../../../server/recall/snapshots/read-body.ts'
import { file, header, memoryLine } from '../../snapshot/builders.ts'
import { recallBench } from './recall-kit.ts'

const LINE = memoryLine({ text: 'Ada moved to Lisbon.' })

function read(text: string | Uint8Array): ReturnType<typeof readBody> {
  return readBody(new Uint8Array(Buffer.from(text)))
}

test('returns the snapshot of a body separately, and its value without records', () => {
  const snapshot = `{"records":[${LINE}],${header().slice(1)}`
  const body = `{"query":"a", "snapshot": ${snapshot} , "limit":3}`
  const found = read(body)
  expect(body.slice(found.snapshot?.from, found.snapshot?.to)).toBe(snapshot)
  expect(found.value).toEqual({ query: 'a', limit: 3, snapshot: { ...JSON.parse(header()), records: [] } })
})

test('treats escaped names as the same names', () => {
  const { value, snapshot } = read('{"\\u0073napshot":{"\\u0072ecords":[{}]}}')
  expect(value).toEqual({ snapshot: { records: [] } })
  expect(snapshot).toEqual({ from: 17, to: 38 })
})

test.each(['{"query":"a"}', '[1,{"snapshot":{}}]', '{"a":{"snapshot":{"records":[1]}}}', '{"snapshot":[1]}', '"text"'])(
  'returns the value of a body without a snapshot: %s',
  (body) => expect(read(body)).toMatchObject({ value: JSON.parse(body), snapshot: undefined })
)

test.each([
  ['nothing', ''],
  ['a duplicate key', '{"a":1,"a":2}'],
  ['a duplicate key inside records', '{"snapshot":{"records":[{"a":1,"\\u0061":2}]}}'],
  ['two snapshots', '{"snapshot":{},"snapshot":{}}'],
  ['__proto__', '{"snapshot":{"records":[{"__proto__":1}]}}'],
  ['nesting', `${'['.repeat(65)}${']'.repeat(65)}`],
  ['a number beyond all doubles', '{"a":1e400}'],
  ['a lone surrogate', '{"a":"\\ud800"}'],
  ['trailing text', '{} {}'],
  ['a truncated body', '{"a":']
])('rejects %s, which parsers read differently', (_what, body) => {
  expect(() => read(body)).toThrow(expect.objectContaining({ code: 'malformed_json' }))
})

test('refuses bytes that are not UTF-8', () => {
  expect(() => read(Uint8Array.of(0x22, 0xff, 0x22))).toThrow(expect.objectContaining({ code: 'malformed_json' }))
})

test('refuses too many values outside of the records before they are created', () => {
  const body = `{"metadata":{"a":[${'0,'.repeat(200_000)}0]}}`
  expect(() => read(body)).toThrow(expect.objectContaining({ code: 'too_large' }))
})

test('counts neither records nor commas in texts', () => {
  const records = Array.from({ length: 120_000 }, () => '{}').join()
  const body = `{"raw_text":"${',\\"'.repeat(200_000)}","snapshot":{"records":[${records}]}}`
  expect(read(body).snapshot).toBeDefined()
})

test('reads a body in shared memory without changing it', async () => {
  const { engine } = await recallBench()
  const shared = Buffer.from(`####{"snapshot":${header()}}####`)
  const body = shared.subarray(4, -4)
  const { snapshot } = await engine.readBody(body)
  expect(snapshot?.bytes.subarray(snapshot.from, snapshot.to)).toEqual(new Uint8Array(Buffer.from(header())))
  expect(shared.toString('latin1', 0, 4)).toBe('####')
})

test('rejects lines as a JSON body', () => {
  expect(() => read(file(LINE))).toThrow(expect.objectContaining({ code: 'malformed_json' }))
})
