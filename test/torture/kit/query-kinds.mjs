import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { syntheticQueries } from '../../bench/synthetic-memories.mjs'
import { CORPORA } from './program.mjs'

/** Lengths of the longest queries, in UTF-16 code units. */
const UNITS = { whole: 1_000_000, part: 100_000 }
const WORDS = 10_000

/** Returns the Big List of Naughty Strings, or an empty list if it is missing. */
export function naughtyStrings() {
  const list = join(CORPORA, 'blns', 'blns.json')
  return existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []
}

/** Returns unexpected queries by kind. The longest are a megabyte only in a full run. */
export function queryKinds(random, { isWhole }) {
  const units = isWhole ? UNITS.whole : UNITS.part
  const filled = (text) => fill(text, units)
  return {
    nothing: ['', ' ', '\t', '\n\r\n', '\u00a0\u2003\u3000', '\ufeff', '\u200b'],
    'one character': [...'aizAIZ09éßñöعшक字あ가.,?!\'"-_*%$#@'],
    'many words': manyWords(),
    'stop words': [
      'the',
      'of the and to',
      'who is it',
      'what was that',
      'i you he she it we they',
      filled('the of and ')
    ],
    emoji: ['🎉', '👩‍👩‍👧', '🇵🇹🇯🇵', '👍🏽👍🏿', '❤️', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🎉 👍🏽 ❤️', fill('🎉👩‍👩‍👧', UNITS.part)],
    operators: OPERATORS,
    'control characters': controls(),
    'lone surrogates': ['\ud800', '\udfff', 'a\ud83db', '\udc00\ud800', 'river \ud800 garden', '\ud800'.repeat(WORDS)],
    'right to left': [
      'שלום עולם',
      'مرحبا بالعالم',
      '\u202eabc\u202c',
      '\u2067שלום\u2069 hello',
      'سلام\u200cها',
      'ܫܠܡܐ'
    ],
    dates: manyDates(),
    'names of built-ins': [
      '__proto__',
      'constructor toString valueOf',
      'hasOwnProperty',
      'NaN Infinity -0 1e400 0x7f null'
    ],
    'each block of scripts': blocks(),
    'the naughty list': naughtyStrings(),
    'a long text without spaces': withoutSpaces(random, units),
    'a long text of words': ['ba co di fu ga ', "don't l'homme o'clock ", 'A B C D '].map(filled)
  }
}

/** Returns many words of texts: the most common ones first, each once; and a few of them repeatedly. */
function manyWords() {
  const words = [
    ...new Set(
      syntheticQueries(WORDS * 2)
        .join(' ')
        .split(' ')
    )
  ]
  const many = Array.from({ length: WORDS }, (_, at) => words[at % words.length])
  const made = Array.from({ length: WORDS }, (_, at) => `w${at}`)
  return [many.join(' '), many.slice(0, 10).join(' ').repeat(1000), made.join(' '), 'ba '.repeat(WORDS)]
}

/** Returns many years and months, each of which is a query term. */
function manyDates() {
  const years = Array.from({ length: 400 }, (_, at) => 1800 + at)
  const days = Array.from({ length: 3000 }, (_, at) => new Date(at * 86_400_000).toISOString().slice(0, 10))
  return [years.join(' '), days.join(' '), '31 February 2020', '2020-13-45', '0000-00-00', 'in May '.repeat(WORDS)]
}

const OPERATORS = [
  // Full-text engines.
  ...[
    'river AND garden',
    'NOT river',
    'OR',
    'NEAR(river garden, 5)',
    '^river',
    'text:river',
    '{text title}: river',
    'ri*',
    '*'
  ],
  ...['"river garden', '"', '""', '"""river"""', 'river + garden', '- river', '-', '--', 'MATCH'],
  // Query parsers.
  ...[
    '+river -garden',
    'river~2',
    '"river garden"~10',
    '[a TO z]',
    '{a TO *}',
    'river^4',
    '/riv.r/',
    '(river',
    ')',
    '\\',
    'a\\'
  ],
  ...['_exists_:river', 'text:(a OR b', '!river', '&&', '||', 'a && !b', '<river', '@text river', '$river', '%(river)'],
  // SQL.
  ...[
    "'; DROP TABLE memories; --",
    "' OR 1=1 --",
    "''",
    "\\'",
    '%',
    '_',
    '?1',
    ':name',
    '@p',
    "x' UNION SELECT 1 --",
    '/* river'
  ],
  // Regular expressions and globs.
  ...['(a+)+$', '[', '(?<x>', '.*', '^$', 'a{1,99999}', '\\p{L}', '[[:alpha:]]', '**/river', '{a,b}', '(?:', '\\1'],
  // Markup, shells and formats.
  ...[
    '<script>alert(1)</script>',
    '&amp;',
    '$(river)',
    '`river`',
    '%s%n',
    '{"query":',
    '{{river}}',
    '../../etc/passwd',
    '-h'
  ],
  ...[
    '--help',
    '--limit 0',
    ['$', '{river}'].join(''),
    '\\u0000',
    '\\x00',
    '%00',
    'null',
    'undefined',
    'true',
    '[]',
    '{}'
  ]
]

function controls() {
  const codes = [
    ...Array(0x20).keys(),
    ...Array.from({ length: 0x21 }, (_, at) => 0x7f + at),
    0x2028,
    0x2029,
    0xfffe,
    0xffff
  ]
  const alone = codes.map((code) => String.fromCharCode(code))
  return [...alone, ...alone.map((control) => `river${control}garden`), alone.join(''), '\u001b]0;title\u0007']
}

const BLOCK = 128
const CODES_END = 0x32000

/** Returns the first characters of each block that has letters, as one word, and separated by spaces. */
function blocks() {
  const found = []
  for (let block = 0; block < CODES_END; block += BLOCK) {
    const letters = Array.from({ length: BLOCK }, (_, at) => block + at)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .filter((character) => /\p{L}/u.test(character))
    // A few of the thousands of blocks of one script suffice.
    const isRepeated = letters.length === BLOCK && (block / BLOCK) % 16 !== 0
    if (letters.length > 0 && !isRepeated) found.push(letters.slice(0, 20).join(''), letters.slice(0, 20).join(' '))
  }
  return found
}

function withoutSpaces(random, units) {
  const filled = (text) => fill(text, units)
  const drawn = (from, size) =>
    Array.from({ length: units }, () => String.fromCharCode(from + Math.floor(random() * size))).join('')
  return [
    ...[
      'x',
      'ab',
      '9',
      "'",
      '-',
      '.',
      '(',
      '"',
      '\\',
      '\0',
      'é',
      'ﷺ',
      '字',
      'あ',
      'ก',
      '가',
      '🎉',
      '\u0301',
      '\u200d',
      '"a'
    ].map(filled),
    `a${filled('\u0301').slice(1)}`,
    ...["a'", 'a-b_', '2023-05-08', 'aA1', 'ab字', '\u1100', 'क्ष'].map(filled),
    ...[drawn(97, 26), drawn(0x4e00, 20_000), drawn(0xac00, 11_000), drawn(0x21, 0x5000), drawn(0xe00, 0x50)]
  ]
}

function fill(text, units) {
  return text.repeat(Math.ceil(units / text.length)).slice(0, units)
}
