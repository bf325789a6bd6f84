import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonText } from '../../src/cli/output/json-text.ts'
import { tsvLine } from '../../src/cli/output/result-writer.ts'
import { toPlainLine, toPlainText } from '../../src/cli/output/to-plain-text.ts'

test.each([
  ['colour', '\u001b[31mred\u001b[0m', 'red'],
  ['cursor', 'a\u001b[2J\u001b[1;1Hb', 'ab'],
  ['title (OSC, BEL)', '\u001b]0;owned\u0007text', 'text'],
  ['link (OSC, ST)', '\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\', 'link'],
  ['device control', '\u001bPq#0\u001b\\x', 'x'],
  ['C1 control sequence', '\u009b31mred', 'red'],
  ['C1 string', '\u009d0;owned\u009ctext', 'text'],
  ['two letters', '\u001bcreset', 'reset'],
  ['unterminated string', '\u001b]0;all of this', '0;all of this'],
  ['unterminated sequence', 'a\u001b[31', 'a'],
  ['lone escape', 'a\u001b', 'a'],
  ['backspace and bell', 'a\b\u0007b', 'ab'],
  ['carriage return that overwrites', 'real\rfake', 'real\nfake'],
  ['direction override', 'a\u202egpj.exe', 'agpj.exe'],
  ['isolates', '\u2066a\u2069', 'a'],
  ['line separator', 'a\u2028b', 'a\nb'],
  ['zero-width spaces', 'a\u200bb\u2060c\ufeff', 'abc'],
  ['soft hyphen', 'a\u00adb', 'ab'],
  ['tags', 'a\u{e0041}\u{e0042}b', 'ab'],
  ['tags after a flag', '🏴\u{e0067}\u{e0062}\u{e007f}', '🏴'],
  ['variation selectors that carry bytes', 'a\ufe00\ufe0f\u{e0100}\u{e01ef}b', 'ab'],
  ['interlinear annotation', 'a\ufff9b\ufffac\ufffb', 'abc'],
  ['fillers of Hangul', 'a\u3164\u115f\u1160\uffa0b', 'ab'],
  ['invisible operators', 'a\u2061\u2064b', 'ab'],
  ['joiners between letters that do not join', 'a\u200cb\u200dc', 'abc'],
  ['a joiner after a hidden character', '\u180b\u200dᠠ \u061c\u200cا', 'ᠠ ا'],
  ['more than one joiner', '👩\u200d\u200d👧 می\u200c\u200cخواهم', '👩👧 میخواهم'],
  ['text on both sides of an escape sequence', 'a\u200b\u001b[31m\u200bb', 'ab'],
  ['a sequence split by a joiner', '\u001b\u200b[2Jx', 'x'],
  ['tab', 'a\tb', 'a b'],
  ['half a surrogate pair', 'a\ud83d', 'a\ufffd'],
  ['families, hearts, keycaps', '👩‍👩‍👧 ❤️ 1️⃣ 🏳️‍🌈 👨🏽‍🚀 ☺︎', '👩‍👩‍👧 ❤️ 1️⃣ 🏳️‍🌈 👨🏽‍🚀 ☺︎'],
  ['joiners of Persian and Hindi', 'می\u200cخواهم क्\u200dष', 'می\u200cخواهم क्\u200dष'],
  ['plain text', 'Grüße, 日本 👩‍👩‍👧\nnext', 'Grüße, 日本 👩‍👩‍👧\nnext']
])('removes control characters and sequences from text for a terminal: %s', (_name, text, plain) => {
  expect(toPlainText(text)).toBe(plain)
})

test('no text can control the terminal', () => {
  const nasty = fc.array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(...'\u001b[]P\u009b\u009d\u0007;1m\\\u202e\u200b\u200d\ufe0f👩1\u{e0041}\u094d')
    )
  )
  fc.assert(
    fc.property(nasty, (parts) => {
      const plain = toPlainText(parts.join(''))
      expect(plain).not.toMatch(/[^\P{Cc}\n]|[\p{Bidi_Control}\p{Cs}\u200b\ufeff\u{e0000}-\u{e0fff}]/u)
      expect(toPlainText(plain)).toBe(plain)
    })
  )
})

test('a line for a terminal has no line end', () => {
  expect(toPlainLine('a\n\n b\r\nc')).toBe('a b c')
})

test('JSON escapes terminal controls, and parses to the same value', () => {
  const value = { text: '\u007f\u009b31m\u202e\u2028\u2029\u2066é日👍👩‍👧\u200b\u{e0041}\ufeff', list: ['\u0085'] }
  const text = jsonText(value)
  expect(text).not.toMatch(/[\u007f-\u009f\u202e\u2028\u2029\u2066\u200b\ufeff\u{e0041}]/u)
  expect(text).toContain('é日👍👩‍👧\\u200b\\udb40\\udc41\\ufeff')
  expect(JSON.parse(text)).toEqual(value)
})

test('JSON of any text is safe and parses to the same text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const json = jsonText([text], 2)
      expect(json).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u)
      expect(JSON.parse(json)).toEqual([text])
    })
  )
})

test('escapes tabs, line ends and controls in a tab-separated value', () => {
  expect(tsvLine(['a\tb', 'c\nd\re', 'f\\g', '\u001b[31m', null, 3, { k: 'v' }])).toBe(
    'a\\tb\tc\\nd\\re\tf\\\\g\t\\u001b[31m\t\t3\t{"k":"v"}\n'
  )
})
