import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FactRecord } from '../../../src/contract/snapshot.ts'
import type { Block, Range } from '../../../src/memory/structure/block.ts'
import { BLOCK_FACTS_MAX, buildBlockFacts } from '../../../src/memory/structure/build-block-facts.ts'
import { BLOCKS_MAX, readBlocks } from '../../../src/memory/structure/read-blocks.ts'

const RUNS = process.env.SLOW ? 5_000 : 130

/** Fragments that readers recognise, in any order, with any text between them. */
const PIECES = [
  ...[
    '\n',
    '\n\n',
    '\r\n',
    ' ',
    '\t',
    '    ',
    '# ',
    '## a',
    '---',
    '===',
    '- ',
    '* b',
    '1. ',
    '2) c',
    '(3) ',
    '> ',
    '>> d'
  ],
  ...[
    '```',
    '~~~',
    '|',
    '| a | b |',
    '|---|---|',
    ',',
    ';',
    '"',
    'a,b,c',
    '1,2,3',
    ':',
    ': ',
    'Key: v',
    'k = v',
    '[s]',
    '**'
  ],
  ...[
    'From: a@b.test',
    'Subject: x',
    'On 3 May Ann wrote:',
    '-----Original Message-----',
    'Ann: hi.',
    'I prefer tea.',
    'Guests:'
  ],
  ...[
    'x'.repeat(200),
    'word '.repeat(60),
    '他说：',
    '😀',
    '\uD83D',
    '\u0000',
    '\u00a0',
    '\uFEFF',
    '—',
    '…',
    '(',
    '[',
    '{',
    '};',
    '<!--',
    '-->',
    '<b>',
    '[a]: ./b',
    '- [ ] ',
    '[[a|b]]'
  ]
]
const texts = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 60 })
  .map((pieces) => pieces.join(''))

test('returns ordered, disjoint blocks inside the text that never cut a surrogate pair', () => {
  fc.assert(fc.property(texts, expectSoundBlocks), { numRuns: RUNS })
})

test('loses no letter between blocks', () => {
  const calm = texts.filter((text) => !/-----Original|^\s*(?:---|\+\+\+)/.test(text))
  fc.assert(
    fc.property(calm, (text) => {
      let end = 0
      let between = ''
      for (const block of readBlocks(text)) {
        between += text.slice(end, block.kind === 'prose' && block.speaker !== undefined ? block.end : block.start)
        end = block.end
      }
      expect(between.replace(/Ann:\s*\S*|\p{L}+:/gu, '') + text.slice(end)).not.toMatch(/\p{Ll}{3}/u)
    }),
    { numRuns: RUNS }
  )
})

test('returns facts as records with spans inside the text', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const facts = buildBlockFacts(readBlocks(text), { text, at: undefined, speaker: 'Ann', title: undefined })
      expect(facts.length).toBeLessThanOrEqual(BLOCK_FACTS_MAX)
      for (const fact of facts) {
        expect(FactRecord.parse(fact)).toEqual(fact)
        expect(fact.span[0]).toBeLessThan(fact.span[1])
        expect(fact.span[1]).toBeLessThanOrEqual(text.length)
        expect(fact.value.isWellFormed() || !text.isWellFormed()).toBe(true)
      }
    }),
    { numRuns: RUNS }
  )
})

/** A megabyte of each: quadratic work would exceed the time limit of the test. */
const HOSTILE: [string, string][] = [
  ['line breaks', '\n'],
  ['spaces', ' '],
  ['one word', 'a'],
  ['a script without spaces', '他说今天很好。'],
  ['base64', 'QUJDREVGR0hJSktMTU5PUFFS'],
  ['minified code', 'function a(b){return b*2}var c=[1,2];'],
  ['fences', '```a\n'],
  ['quotation signs', '> > a\n'],
  ['hashes', '# a\n'],
  ['keys', 'Key name: value\n'],
  ['colons', ': '],
  ['turns', 'Ann: hi there.\nBob: no.\n'],
  ['bars', '|'],
  ['rows', '| a | b |\n'],
  ['open quotes', '"a,"b,"c\n'],
  ['items', '- a\n'],
  ['numbers out of order', '7. a\n'],
  ['underlines', 'a\n===\n'],
  ['rules', '---\nkey: b\n'],
  ['front matter', '---\nkey: [\n'],
  ['mail heads', 'From: a\n'],
  ['attributions', 'On a b wrote\n'],
  ['brackets', '[a](b'],
  ['emoji', '😀'],
  ['lead-ins', 'Guests:\n'],
  ['control characters', '\u0000\u0001\u0007'],
  ['paragraphs', 'a b c\n\n'],
  ['open comments', '<!-- a\n'],
  ['tags', '<b><i>\n'],
  ['links', '[a](b)\n'],
  ['nested numbers', '1. ']
]

test.each(HOSTILE)('reads a megabyte of %s', (_what, piece) => {
  const text = piece.repeat(Math.floor(1_000_000 / piece.length))
  expectSoundBlocks(text)
  const facts = buildBlockFacts(readBlocks(text), { text, at: undefined, speaker: undefined, title: undefined })
  expect(facts.length).toBeLessThanOrEqual(BLOCK_FACTS_MAX)
})

test('reads ten thousand nested items, each one deeper', () => {
  const text = Array.from({ length: 10_000 }, (_, n) => `${'\t'.repeat(n >> 2)}${' '.repeat(n & 3)}- x`).join('\n')
  const blocks = readBlocks(text)
  expect(blocks).toHaveLength(10_000)
  expect(blocks.at(-1)).toMatchObject({ kind: 'item', depth: 9_999 })
})

test('limits the number of blocks, give or take one list or run', () => {
  expect(readBlocks('a b c.\n\n'.repeat(50_000))).toHaveLength(BLOCKS_MAX)
  expect(readBlocks('- a\n'.repeat(100_000)).length).toBeLessThan(BLOCKS_MAX + 10_001)
})

function expectSoundBlocks(text: string): void {
  const problems: string[] = []
  let end = 0
  for (const block of readBlocks(text)) {
    if (block.start < end || block.end <= block.start || block.end > text.length) problems.push(`order ${block.start}`)
    for (const range of partsOf(block)) {
      if (range.start < block.start || range.end > block.end || range.end < range.start)
        problems.push(`part ${block.start}`)
      if (cutsPair(text, range.start) || cutsPair(text, range.end)) problems.push(`pair ${block.start}`)
    }
    end = block.end
  }
  expect(problems).toEqual([])
}

function partsOf(block: Block): Range[] {
  if (block.kind === 'item' || block.kind === 'heading') return [block, block.content]
  if (block.kind === 'field') return [block, block.key, block.value]
  return block.kind === 'row' ? [block, ...block.cells] : [block]
}

function cutsPair(text: string, at: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1))
}
