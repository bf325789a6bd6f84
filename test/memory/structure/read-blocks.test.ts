import { expect, test } from 'vitest'
import { readBlocks } from '../../../src/memory/structure/read-blocks.ts'
import { outline } from './blocks.ts'

test('splits paragraphs at blank lines and joins wrapped lines', () => {
  const text = 'The boat shed stands at the far end of the harbour and\nhas a green door.\n\nThe key hangs inside.'
  expect(outline(text)).toEqual([
    'prose: The boat shed stands at the far end of the harbour and\nhas a green door.',
    'prose: The key hangs inside.'
  ])
})

test('separates short lines that start a new sentence', () => {
  expect(outline('I sold the van\nMy brother bought it')).toEqual([
    'prose: I sold the van',
    'prose: My brother bought it'
  ])
})

test('reads headings in each of their forms', () => {
  expect(outline('# Boat trip\n\nGo.')).toEqual(['heading 1: Boat trip', 'prose: Go.'])
  expect(outline('### Food ###\nBread.')).toEqual(['heading 3: Food', 'prose: Bread.'])
  expect(outline('Boat trip\n=========\nGo.')).toEqual(['heading 1: Boat trip', 'prose: Go.'])
  expect(outline('Boat trip\n---\nGo.')).toEqual(['heading 2: Boat trip', 'prose: Go.'])
  expect(outline('Opening Hours\n\nNine to five.')).toEqual(['heading 6: Opening Hours', 'prose: Nine to five.'])
  expect(outline('**what to bring**\n- tent')).toEqual(['heading 6: what to bring', 'item 0 - tent'])
  expect(outline('Guests:\n- Ann')).toEqual(['heading 7: Guests', 'item 0 - Ann'])
  expect(outline('How to bleed a radiator\n1. Open it')[0]).toBe('heading 6: How to bleed a radiator')
})

test.each([
  'Good morning everybody\n\nThe train is late.',
  'Hi Ann\n\nThe train is late.',
  'I Sold The Van\n\nIt was old.',
  '#hashtag is no heading',
  'We sold the van',
  'A Lone Line With Capitals'
])('finds no heading in %j', (text) => {
  expect(outline(text).filter((line) => !line.startsWith('prose'))).toEqual([])
})

test('reads a list with levels, numbers, boxes and indented continuation lines', () => {
  const text = '- tent\n  - pegs\n    - spare\n- [x] rope, long enough\n  for two\n* lamp\n\n1. go\n2) stay\n(3) sleep'
  expect(outline(text)).toEqual([
    'item 0 - tent',
    'item 1 - pegs',
    'item 2 - spare',
    'item 0 - rope, long enough\n  for two',
    'item 0 * lamp',
    'item 0 1. go',
    'item 0 2) stay',
    'item 0 (3) sleep'
  ])
})

test('reads the state of a task from its box', () => {
  const items = readBlocks('- [ ] call the bank\n- [x] pay the rent\n1. [X] sleep\n- milk')
  expect(items.map((block) => (block.kind === 'item' ? block.task : block.kind))).toEqual([
    'open',
    'done',
    'done',
    undefined
  ])
})

test('reads comments, lines of tags and definitions of links as code', () => {
  const text = [
    '<!-- draft\nof May -->\n# Shed',
    '<div align="center">\nThe shed is green.\n</div>',
    'See the [map].\n\n[map]: https://acme.test/map "Map"\n[^1]: The door is new.'
  ].join('\n\n')
  expect(outline(text)).toEqual([
    'code: <!-- draft\nof May -->',
    'heading 1: Shed',
    'code: <div align="center">',
    'prose: The shed is green.',
    'code: </div>',
    'prose: See the [map].',
    'code: [map]: https://acme.test/map "Map"',
    'prose: [^1]: The door is new.'
  ])
})

test('reads lines that end in links or in words in parentheses as prose', () => {
  const lines = [
    'The shed is on the [map](https://acme.test/a_(b))',
    'We met Ada at the [[Harbour]]',
    'It rained (a bit)'
  ]
  expect(outline(lines.join('\n')).filter((block) => !block.startsWith('prose'))).toEqual([])
  expect(outline('run(a)\nstop(b)')[0]).toMatch(/^code/)
})

test('reads lines labelled as steps as items', () => {
  expect(outline('Step 1: Open it\nStep 2: Close it')).toEqual(['item 0 Step 1: Open it', 'item 0 Step 2: Close it'])
})

test.each(['3. Mai war es kalt. Wir blieben.', '2024. What a year', '-5 degrees', '1.5 litres', '*waves*', '– Ada'])(
  'finds no list in %j',
  (text) => {
    expect(outline(text)).toEqual([`prose: ${text}`])
  }
)

test('separates quotes, with the line that names their author', () => {
  const text =
    'Fine with me.\n\nOn Mon, 2 May 2022 at 10:00, Bob <bob@acme.test> wrote:\n\n> When is it?\n> At five?\n\nBye.'
  expect(outline(text)).toEqual([
    'prose: Fine with me.',
    'quote: On Mon, 2 May 2022 at 10:00, Bob <bob@acme.test> wrote:\n\n> When is it?\n> At five?',
    'prose: Bye.'
  ])
  expect(outline('Am 3. Mai schrieb:\n> Wann?')).toHaveLength(1)
})

test('reads a letter below a forwarding mark as a quote to the end', () => {
  const text = 'See below.\n\n-----Original Message-----\nFrom: Bob\nI moved to Oslo.\n\nBob\n'
  expect(outline(text)).toEqual([
    'prose: See below.',
    'quote: -----Original Message-----\nFrom: Bob\nI moved to Oslo.\n\nBob'
  ])
})

test('recognises code by its fence, its form and its lack of spaces', () => {
  const encoded = 'QUJDREVGR0hJSktMTU5PUFFS'.repeat(20)
  expect(outline('```js\nlet a = 1\n```\nDone.')).toEqual(['code: ```js\nlet a = 1\n```', 'prose: Done.'])
  expect(outline('function run(a) {\n  return a + 1;\n}')).toHaveLength(1)
  expect(outline('function run(a) {\n  return a + 1;\n}')[0]).toMatch(/^code/)
  expect(outline(encoded)).toEqual([`code: ${encoded}`])
  expect(outline('var a=[1,2,3];function b(c){return c*2}'.repeat(9))[0]).toMatch(/^code/)
})

test('reads long lines of any script as prose', () => {
  expect(outline('彼は明日東京へ行くと言っていた。'.repeat(40))[0]).toMatch(/^prose/)
  expect(outline('Ilmoittautumislomakkeet palautetaan kansliaan. '.repeat(20).trim())[0]).toMatch(/^prose/)
  expect(
    outline(
      `${'See the map at https://acme.test/'.padEnd(150, 'a')} before you go to the harbour on foot, please. `.repeat(2)
    )
  ).toHaveLength(1)
})

test('reads JSON on one line as code, but not brackets in prose', () => {
  expect(outline('{"name": "heron", "port": 80}')).toEqual(['code: {"name": "heron", "port": 80}'])
  expect(outline('[see the map] and come {soon}')).toEqual(['prose: [see the map] and come {soon}'])
})

test('reads a short line at the top as a title if more than prose follows', () => {
  expect(outline('Rye bread\n\nIngredients:\n- flour')).toEqual([
    'heading 6: Rye bread',
    'heading 7: Ingredients',
    'item 0 - flour'
  ])
  expect(outline('Rye bread\n\nIt keeps a week.')[0]).toBe('prose: Rye bread')
})

test('skips rules between paragraphs and blank lines', () => {
  expect(outline('One.\n\n***\n\nTwo.\n\n- - -\n')).toEqual(['prose: One.', 'prose: Two.'])
  expect(outline('\n \n\t\n')).toEqual([])
  expect(outline('')).toEqual([])
})

test('ignores Windows line ends and a byte order mark', () => {
  expect(outline('\uFEFF# Food\r\n\r\n- bread\r\n- cheese\r\n')).toEqual([
    'heading 1: Food',
    'item 0 - bread',
    'item 0 - cheese'
  ])
})

test('reads the prose directly before and after a fence', () => {
  const code = '```js\nlet n = 0;\nfor (const boat of boats) {\n  count(boat);\n  n += 1;\n\n  log(n);\n}\n```'
  const text = `I counted all boats.\n${code}\nThere were nine.`
  expect(outline(text)).toEqual(['prose: I counted all boats.', `code: ${code}`, 'prose: There were nine.'])
})
