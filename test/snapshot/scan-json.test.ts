import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toCanonicalJson } from '../../src/snapshot/json/json.ts'
import { scanJson } from '../../src/snapshot/json/json-scan.ts'
import { exactNumber, json, runs } from './arbitraries.ts'
import { slowVerdict } from './slow-verdict.ts'

test('accepts canonical JSON of any value as canonical', () => {
  fc.assert(
    fc.property(json, (value) => {
      expect(scan(toCanonicalJson(value))).toMatchObject({ fault: undefined, canonical: true })
    }),
    runs(500)
  )
})

test('accepts JSON in any other spelling, and as canonical only the canonical text', () => {
  fc.assert(
    fc.property(json, fc.constantFrom<string | number>('', 1, '\t'), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent)
      expect(scan(text)).toMatchObject({ fault: undefined, canonical: text === toCanonicalJson(value) })
    }),
    runs(500)
  )
})

test('judges texts that resemble JSON like an independent slow reader', () => {
  fc.assert(
    fc.property(json, spoiling, (value, spoil) => {
      const bytes = spoil(Buffer.from(JSON.stringify(value)))
      const { fault, canonical } = scan(bytes)
      expect({ sound: fault === undefined, canonical: fault === undefined && canonical }).toEqual(slowVerdict(bytes))
    }),
    runs(3000)
  )
})

test('accepts every double as printed, and with 17 digits', () => {
  fc.assert(
    fc.property(exactNumber, (value) => {
      expect(scan(String(value))).toMatchObject({ fault: undefined, canonical: true })
      expect(scan(value.toExponential(16)).fault).toBeUndefined()
    }),
    runs(1000)
  )
})

test.each([
  ['1e400', 'not finite'],
  ['-1e309', 'not finite'],
  ['1e-400', 'a double cannot hold'],
  ['9007199254740993', 'a double cannot hold'],
  ['0.1000000000000000055', 'a double cannot hold'],
  ['12345678901234567', 'a double cannot hold'],
  [`0.${'1'.repeat(1300)}`, 'too long'],
  ['01', 'not JSON'],
  ['1.', 'not JSON'],
  ['-', 'not JSON'],
  ['+1', 'not JSON']
])('rejects the number %s: %s', (text, reason) => {
  expect(scan(text).fault).toContain(reason)
})

test.each(['0', '-1', '0.1', '1e+21', '5e-324', '100000000000000000000'])(
  'treats the number %s as canonical',
  (text) => {
    expect(scan(text)).toMatchObject({ fault: undefined, canonical: true })
  }
)

test.each(['-0', '1.0', '1E5', '1e20', '0.10', '1e21', '0.10000000000000001'])(
  'accepts the number %s as not canonical',
  (text) => {
    expect(scan(text)).toMatchObject({ fault: undefined, canonical: false })
  }
)

test('treats two keys that differ only in escapes as duplicates', () => {
  for (const twice of [
    '{"\\n":1,"\\u000a":2}',
    '{"\\u00E9":1,"\\u00e9":2}',
    '{"a":1,"\\u0061":2}',
    '{"é":1,"\\u00e9":2}'
  ]) {
    expect(scan(twice).fault).toBe('has a key twice')
  }
})

test('orders keys with escapes by their meaning', () => {
  expect(scan('{"a\\u0001":1,"a\\n":2}').canonical).toBe(true)
  expect(scan('{"a\\n":2,"a\\u0001":1}').canonical).toBe(false)
})

test('orders keys beyond the basic plane before U+FFFF, as UTF-16 does', () => {
  expect(scan('{"😀":1,"\uffff":2}').canonical).toBe(true)
  expect(scan('{"\uffff":2,"😀":1}').canonical).toBe(false)
})

test('finds a key repeated after many others', () => {
  const keys = Array.from({ length: 40 }, (_, i) => `"k${99 - i}":0`)
  expect(scan(`{${keys.join(',')}}`).fault).toBeUndefined()
  expect(scan(`{${keys.join(',')},"k80":1}`).fault).toBe('has a key twice')
})

test.each(['{"__proto__":1}', '{"\\u005f_proto__":1}', '[{"a":{"__proto__":{}}}]'])('rejects %s', (text) => {
  expect(scan(text).fault).toBe('has a key `__proto__`')
})

test('accepts 64 levels and rejects 65, counting arrays and objects alike', () => {
  const nested = (levels: number): string => `${'[{"a":'.repeat(levels / 2)}0${'}]'.repeat(levels / 2)}`
  expect(scan(nested(64)).fault).toBeUndefined()
  expect(scan(`[${nested(64)}]`).fault).toContain('deeper than 64')
  expect(scan('['.repeat(1_000_000)).fault).toContain('deeper than 64')
})

test.each(['"\\ud800"', '"\\udc00"', '"\\ud800\\ud800"', '"\\udc00\\ud800"', '"\\ud83dx"'])(
  'finds a lone surrogate in %s',
  (text) => {
    expect(scan(text).fault).toBe('has a lone surrogate')
  }
)

test('rejects bytes that are not UTF-8 at any place', () => {
  for (const bad of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]]) {
    const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bad), Buffer.from('"}')])
    expect(scan(bytes).fault).toBe('not UTF-8')
  }
})

const spoiling = fc.oneof(
  fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })).map(([place, byte]) => (bytes: Buffer) => {
    const copy = Buffer.from(bytes)
    copy[place % copy.length] = byte
    return copy
  }),
  fc.nat().map((place) => (bytes: Buffer) => bytes.subarray(0, place % (bytes.length + 1))),
  fc.tuple(fc.nat(), fc.constantFrom(...PIECES())).map(([place, piece]) => (bytes: Buffer) => {
    const at = place % (bytes.length + 1)
    return Buffer.concat([bytes.subarray(0, at), Buffer.from(piece), bytes.subarray(at)])
  })
)

function PIECES(): string[] {
  return [
    ' ',
    '\n',
    ',',
    '"',
    '\\',
    '\\u0041',
    '\\ud83d',
    '\\/',
    '1',
    '0',
    '.',
    'e',
    '-',
    '[',
    ']',
    '{',
    '}',
    '"a":1,',
    ':',
    '\u0000'
  ]
}

function scan(text: string | Buffer): { fault: string | undefined; canonical: boolean } {
  const bytes = Buffer.from(text)
  const { fault, canonical } = scanJson(bytes, 0, bytes.length)
  return { fault, canonical }
}
