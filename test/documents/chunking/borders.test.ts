import { expect, test } from 'vitest'
import { chunkText } from '../../../src/documents/chunking/chunk-text.ts'
import { saidIn, textsOf } from './chunk-kit.ts'

/** Generates prose of about the given length without equal sentences. */
const prose = (letters: number, about: string): string =>
  Array.from(
    { length: Math.ceil(letters / 60) },
    (_, i) => `What is said of ${about} at place ${i} is said there only.`
  )
    .join(' ')
    .slice(0, letters)

const lines = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n')

test('returns a text no longer than a chunk as one chunk, whatever it contains', () => {
  const text = `# One\n\n${prose(700, 'one')}\n\n# Two\n\n${prose(700, 'two')}`
  expect(textsOf(text)).toEqual([text])
})

test('splits sections that are too long together at their headings, which stay with their sections', () => {
  const text = `# Handbook\n\n## Travel\n\n${prose(1500, 'trains')}\n\n## Holidays\n\n${prose(1500, 'days')}`
  const [first, second, ...others] = textsOf(text)
  expect(first).toMatch(/^# Handbook\n\n## Travel\n\nWhat is said of trains/)
  expect(second).toMatch(/^## Holidays\n\nWhat is said of days/)
  expect(others).toEqual([])
})

test('splits off a chapter before it splits its sections', () => {
  const chapter = (name: string) =>
    `# ${name}\n\n${['a', 'b'].map((part) => `## ${name} ${part}\n\n${prose(600, `${name} ${part}`)}`).join('\n\n')}`
  expect(textsOf([chapter('One'), chapter('Two'), chapter('Six')].join('\n\n'))).toEqual(
    ['One', 'Two', 'Six'].map(chapter)
  )
})

test('gives each chunk the headings above all of it', () => {
  const text = [
    `# Handbook\n\n${prose(900, 'it')}`,
    `## Travel\n\n${prose(1900, 'trains')}\n\n### Nights ###\n\n${prose(3000, 'beds')}`,
    `## Small\n\n${prose(450, 'small')}\n\n## Tiny\n\n${prose(450, 'tiny')}`
  ].join('\n\n')
  const found = [...chunkText(text)].map(({ section, text }) => [/of (\w+) at/.exec(text)?.[1], section.join(' > ')])
  expect(new Map(found as [string, string][])).toEqual(
    new Map([
      ['it', 'Handbook'],
      ['trains', 'Handbook > Travel'],
      ['beds', 'Handbook > Travel > Nights'],
      ['small', 'Handbook']
    ])
  )
})

test('splits a long table between rows, and repeats its header in each chunk', () => {
  const head = '| Part | Supplier |\n|---|---|'
  const rows = lines(200, (i) => `| part ${i} | supplier of ${i} |`)
  const chunks = textsOf(`${head}\n${rows}`)
  expect(chunks.length).toBeGreaterThan(3)
  for (const chunk of chunks)
    expect(chunk).toMatch(/^\| Part \| Supplier \|\n\|---\|---\|\n(\| part \d+ \| supplier of \d+ \|\n?)+$/)
  expect(chunks.map((chunk) => chunk.slice(head.length + 1)).join('\n')).toBe(rows)
})

test('does not split a table that fits into a chunk', () => {
  const table = `| Part | Supplier |\n${lines(30, (i) => `| part ${i} | supplier of ${i} |`)}`
  expect(
    textsOf(`${prose(1200, 'one')}\n\n${table}\n\n${prose(1200, 'two')}`).filter((chunk) => chunk.includes(table))
  ).toHaveLength(1)
})

test('does not split code that fits into a chunk, and repeats the fence of longer code', () => {
  const fenced = (count: number) =>
    `\`\`\`js\n${lines(count, (i) => `const name${i} = ${i}${i % 9 === 0 ? '\n' : ''}`)}\n\`\`\``
  const short = fenced(40)
  expect(
    textsOf(`${prose(1800, 'one')}\n\n${short}\n\n${prose(1500, 'two')}`).filter((chunk) => chunk.includes(short))
  ).toHaveLength(1)
  const chunks = textsOf(fenced(300))
  expect(chunks.length).toBeGreaterThan(2)
  for (const chunk of chunks) expect(chunk).toMatch(/^```js\n/)
  expect(saidIn(chunks.map((chunk) => chunk.slice(6)).join(''))).toBe(saidIn(fenced(300)).slice(5))
})

test('splits lists between items', () => {
  const chunks = textsOf(lines(120, (i) => `- item ${i} which\n  goes on in the next line`))
  expect(chunks.length).toBeGreaterThan(2)
  for (const chunk of chunks) expect(chunk).toMatch(/^- item \d+ which[\s\S]*next line$/)
})

test.each([
  ['Japanese', '橋は町の真ん中にある古い石の橋だ。', /。$/],
  ['Hindi', 'पुल शहर के बीच में पत्थर का पुराना पुल है। ', /।$/],
  ['Arabic', 'هل الجسر في وسط المدينة من الحجر القديم؟ ', /؟$/],
  ['Armenian', 'Կամուրջը քաղաքի կենտրոնում է։ ', /։$/],
  ['Burmese', 'တံတားသည် မြို့လယ်တွင်ရှိသည်။ ', /။$/]
])('ends sentences of %s as in that script', (_, sentence, end) => {
  const chunks = textsOf(Array.from({ length: 150 }, (_, i) => `${i}${sentence}`).join(''))
  expect(chunks.length).toBeGreaterThan(1)
  for (const chunk of chunks) expect(chunk).toMatch(end)
})

test('keeps characters of several code points whole where nothing else ends', () => {
  const family = '👨‍👩‍👧‍👦'
  for (const chunk of textsOf(family.repeat(1000))) expect(saidIn(chunk).replaceAll(family, '')).toBe('')
  for (const chunk of textsOf('e\u0301'.repeat(3000))) expect(chunk).toMatch(/^(e\u0301)+$/)
})
