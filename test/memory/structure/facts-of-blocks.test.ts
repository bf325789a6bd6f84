import { expect, test } from 'vitest'
import type { TextSource } from '../../../src/memory/language/text-source.ts'
import { BLOCK_FACTS_MAX, buildBlockFacts } from '../../../src/memory/structure/build-block-facts.ts'
import { readBlocks } from '../../../src/memory/structure/read-blocks.ts'

function factsIn(text: string, more: Partial<TextSource> = {}): string[] {
  const source = { text, at: undefined, speaker: undefined, title: undefined, ...more }
  return buildBlockFacts(readBlocks(text), source).map(
    ({ subject, predicate, value, rule }) => `${subject} | ${predicate} | ${value} (${rule})`
  )
}

test('takes the subject of fields from their run, their heading, the title, or the key', () => {
  expect(factsIn('Name: Ada Pell\nPhone: 555 0199')).toEqual(['Ada Pell | phone | 555 0199 (field.named-key)'])
  expect(factsIn('# Boat shed\n\nKeeper: Ann Lee\nLocker code: 4711')).toEqual([
    'Boat shed | keeper | Ann Lee (field.key-value)',
    'Boat shed | locker code | 4711 (field.named-key)'
  ])
  expect(factsIn('Status: done', { title: 'Roof repair' })).toEqual(['Roof repair | status | done (field.named-key)'])
  expect(factsIn('Wifi password: heron42')).toEqual(['Wifi password | is | heron42 (field.named-key)'])
})

test('takes the subject from a key with an owner', () => {
  expect(factsIn("Ada's birthday: 3 May")).toEqual(['Ada | birthday | 3 May (field.named-key)'])
  expect(factsIn('my locker code: 4711', { speaker: 'Sam' })).toEqual(['Sam | locker code | 4711 (field.named-key)'])
})

test('writes predicates in lower case except words in capitals, without marks of layout', () => {
  expect(factsIn('# Heron\n\n- **IBAN**: `XX12`\n- **Bank Name**: "Acme"')).toEqual([
    'Heron | IBAN | XX12 (field.named-key)',
    'Heron | bank name | Acme (field.named-key)'
  ])
})

test('uses the value of a first field that states a kind as the subject of the others', () => {
  expect(factsIn('Flight: LH123\nSeat: 14C')).toEqual([
    'LH123 | is a | flight (field.named-key)',
    'LH123 | seat | 14C (field.named-key)'
  ])
})

test('skips general headings as topics, and reads headings that name a field as predicates', () => {
  const text = '# Ann Lee\n\n## Contact\n- Phone: 555\n\n## Address\n\nPier 4, Oslo\n\n## Hobbies\n- chess\n'
  expect(factsIn(text)).toEqual([
    'Ann Lee | phone | 555 (field.named-key)',
    'Ann Lee | address | Pier 4, Oslo (heading.value)',
    'Ann Lee | hobbies | chess (list.value)'
  ])
  expect(factsIn('# Ann Lee\n\n## Address\n\nIt is not known yet.')).toEqual([])
})

test('reads my in a mail as the writer', () => {
  const facts = factsIn('From: Ann Lee\nSubject: Hello\n\nHi.\n\nMy new number: 555', { speaker: 'Sam' })
  expect(facts).toContain('Ann Lee | new number | 555 (field.named-key)')
})

test('uses the title of front matter as subject, with one fact per value of a list', () => {
  expect(factsIn('---\ntitle: Boat trip\ntags: [sea, summer]\npeople:\n  - Ann\n---\nWe sail.')).toEqual([
    'Boat trip | tags | sea (front-matter.key-value)',
    'Boat trip | tags | summer (front-matter.key-value)',
    'Boat trip | people | Ann (front-matter.key-value)'
  ])
})

test('shows the words of links and wikilinks in facts', () => {
  const text = '# Boat trip\n\n- Owner: [[Ada Pell|Ada]]\n- Place: [Pier 4](https://acme.test/pier)\n- Contact: [[Bob]]'
  expect(factsIn(text)).toEqual([
    'Boat trip | owner | Ada (field.named-key)',
    'Boat trip | place | Pier 4 (field.named-key)',
    'Boat trip | contact | Bob (field.named-key)'
  ])
})

test('reads senders, recipients and addresses from a mail header', () => {
  const text = 'From: "Lee, Ann" <ann@acme.test>\nTo: bob@acme.test\nSubject: Rent\nX-Mailer: Heron 2\n\nIt is due.'
  expect(factsIn(text)).toEqual([
    'Rent | from | Lee, Ann (mail.header)',
    'Lee, Ann | email | ann@acme.test (mail.address)',
    'Rent | to | bob@acme.test (mail.header)'
  ])
  expect(factsIn('Von: Ann\nAn: Bob\nBetreff: Miete\n\nHallo')).toEqual([
    'Miete | from | Ann (mail.header)',
    'Miete | to | Bob (mail.header)'
  ])
})

test('uses the first cell of a row as subject, or the name cell of numbered rows', () => {
  expect(factsIn('| Guest | Room |\n|---|---|\n| Ann | 4 |\n| Bob | - |')).toEqual(['Ann | room | 4 (table.cell)'])
  expect(factsIn('no,name,city\n1,Ann,Oslo\n2,Bob,Rome')).toEqual([
    'Ann | no | 1 (table.cell)',
    'Ann | city | Oslo (table.cell)',
    'Bob | no | 2 (table.cell)',
    'Bob | city | Rome (table.cell)'
  ])
})

test('uses the heading as subject of a table of keys and values', () => {
  expect(factsIn('# Server heron\n\n| Property | Value |\n|---|---|\n| RAM | 8 GB |')).toEqual([
    'Server heron | RAM | 8 GB (table.key-value)'
  ])
})

test('reads items as members of their heading and as parts of the item above', () => {
  expect(factsIn('Packing list:\n- tent\n  - pegs\n- rope')).toEqual([
    'Packing list | includes | tent (list.member)',
    'tent | includes | pegs (list.part)',
    'Packing list | includes | rope (list.member)'
  ])
})

test('reads a bold label with a colon as the whole of the items below it, not as a member', () => {
  expect(factsIn('# Boat trip\n\n- **Food:**\n  - bread\n- ropes')).toEqual([
    'Food | includes | bread (list.part)',
    'Boat trip | includes | ropes (list.member)'
  ])
})

test.each([
  ['steps', 'How to bleed a radiator\n1. Open it\n2. Close it'],
  ['steps to an end', 'To leave the shed:\n- lock it'],
  ['a sentence', 'I told them what I need:\n- milk'],
  ['no heading', '- milk\n- eggs'],
  ['sentences as items', 'Remarks on May:\n- It rained all day.\n- we stayed in'],
  ['prose', 'Note: see you at 5\n\nAnn: hi'],
  ['a talk', 'Ann: hi there\nBob: how are you?\nAnn: fine'],
  ['quotes', '> Name: Ada\n> Phone: 555'],
  ['code', '```\nport = 80\nhost = heron\n```'],
  ['empty cells', '| Guest | Room |\n|---|---|\n| Ann | n/a |']
])('finds no facts in %s', (_what, text) => {
  expect(factsIn(text)).toEqual([])
})

test('gives a fact the span of its line or cell', () => {
  const text = 'name,city,age\nAnn,"Oslo, west",40\nBob,Rome,41\n\nStatus: done'
  const source = { text, at: undefined, speaker: undefined, title: undefined }
  const spans = buildBlockFacts(readBlocks(text), source).map(({ span }) => text.slice(...span))
  expect(spans).toEqual(['Oslo, west', '40', 'Rome', '41', 'Status: done'])
})

test('returns only the first facts of a long table', () => {
  const rows = Array.from({ length: 50_000 }, (_, n) => `person ${n},Oslo,${n}`)
  const facts = factsIn(`name,city,age\n${rows.join('\n')}`)
  expect(facts).toHaveLength(BLOCK_FACTS_MAX)
  expect(facts.at(-1)).toBe('person 99 | age | 99 (table.cell)')
})
