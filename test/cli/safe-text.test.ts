import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonText } from '../../src/cli/output/json-text.ts'
import { plainLine, plainText } from '../../src/cli/output/plain-text.ts'
import { tsvLine } from '../../src/cli/output/tsv.ts'

test.each([
  ['colour', '\u001b[31mred\u001b[0m', 'red'],
  ['cursor', 'a\u001b[2J\u001b[1;1Hb', 'ab'],
  ['title (OSC, BEL)', '\u001b]0;owned\u0007text', 'text'],
  ['link (OSC, ST)', '\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\', 'link'],
  ['device control', '\u001bPq#0\u001b\\x', 'x'],
  ['C1 control sequence', '\u009b31mred', 'red'],
  ['C1 string', '\u009d0;owned\u009ctext', 'text'],
  ['two letters', '\u001bcreset', 'reset'],
  ['unended string', '\u001b]0;all of this', '0;all of this'],
  ['unended sequence', 'a\u001b[31', 'a'],
  ['lone escape', 'a\u001b', 'a'],
  ['backspace and bell', 'a\b\u0007b', 'ab'],
  ['carriage return that overwrites', 'real\rfake', 'real\nfake'],
  ['direction override', 'a\u202egpj.exe', 'agpj.exe'],
  ['isolates', '\u2066a\u2069', 'a'],
  ['line separator', 'a\u2028b', 'a\nb'],
  ['tab', 'a\tb', 'a b'],
  ['half a pair', 'a\ud83d', 'a\ufffd'],
  ['plain text', 'Grüße, 日本 👩‍👩‍👧\nnext', 'Grüße, 日本 👩‍👩‍👧\nnext']
])('text for a terminal loses what drives it: %s', (_name, text, plain) => {
  expect(plainText(text)).toBe(plain)
})

test('whatever comes in, nothing that drives a terminal comes out', () => {
  const nasty = fc.array(
    fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...'\u001b[]P\u009b\u009d\u0007;1m\\\u202e'))
  )
  fc.assert(
    fc.property(nasty, (parts) => {
      expect(plainText(parts.join(''))).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}|\p{Cs}/u)
    })
  )
})

test('a line for a terminal has no line end', () => {
  expect(plainLine('a\n\n b\r\nc')).toBe('a b c')
})

test('JSON escapes what drives a terminal, and parses to the same value', () => {
  const value = { text: '\u007f\u009b31m\u202e\u2028\u2029\u2066é日👍', list: ['\u0085'] }
  const text = jsonText(value)
  expect(text).not.toMatch(/[\u007f-\u009f\u202e\u2028\u2029\u2066]/)
  expect(JSON.parse(text)).toEqual(value)
})

test('JSON of any text is safe and equal', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const json = jsonText([text], 2)
      expect(json).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u)
      expect(JSON.parse(json)).toEqual([text])
    })
  )
})

test('a tab-separated value cannot look like a tab, a line end or a control', () => {
  expect(tsvLine(['a\tb', 'c\nd\re', 'f\\g', '\u001b[31m', null, 3, { k: 'v' }])).toBe(
    'a\\tb\tc\\nd\\re\tf\\\\g\t\\u001b[31m\t\t3\t{"k":"v"}\n'
  )
})
