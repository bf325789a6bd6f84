import { expect, test } from 'vitest'
import { outline } from './blocks.ts'

test('reads a run of keys and values as fields', () => {
  expect(outline('Name: Ada Pell\nPhone: 555 0199\nBorn: 3 May 1990')).toEqual([
    'field line: Name = Ada Pell',
    'field line: Phone = 555 0199',
    'field line: Born = 3 May 1990'
  ])
})

test.each([
  ['Status: done', 'field line: Status = done'],
  ['Wifi password: heron42', 'field line: Wifi password = heron42'],
  ['Ada’s birthday: 3 May', 'field line: Ada’s birthday = 3 May'],
  ['Date of birth: 3 May 1990', 'field line: Date of birth = 3 May 1990'],
  ['**Owner:** Ada', 'field line: Owner = Ada'],
  ['Spare fuse box: under the stairs', 'field line: Spare fuse box = under the stairs'],
  ['Telefon: 030 1234', 'field line: Telefon = 030 1234'],
  ['电话：555', 'field line: 电话 = 555'],
  ['адрес: улица Мира 5', 'field line: адрес = улица Мира 5'],
  ['SEAT_COUNT = 4', 'field assignment: SEAT_COUNT = 4'],
  ['SHED_PATH=/srv/shed', 'field assignment: SHED_PATH = /srv/shed']
])('reads %j as a field', (text, expected) => {
  expect(outline(text)).toEqual([expected])
})

test.each([
  'Note: see you at 5',
  'PS: call me',
  'Ann: hi',
  'Ann: I sold the van',
  'Chapter 3: The storm',
  'Fun fact: herons sleep standing',
  'https://acme.test/a: it is there',
  'Come at 10:30',
  '10:30: tea',
  'He said: no way',
  'What I want: peace',
  'One thing: bring cash',
  'I have two cats: Tom and Kit',
  'The score was 3:1',
  'See you there :)',
  'C: drive is full',
  'Next thing to mend: the roof',
  'Best part: we won',
  'Address: the old pier, third door. Ring twice and wait for me there',
  'Life = good',
  'x == y',
  'Remember: the shed has no lamp, and the path down to the water is steep'
])('reads %j as prose', (text) => {
  expect(outline(text)).toEqual([`prose: ${text}`])
})

test('reads a transcript as prose with its speakers', () => {
  expect(outline('Ann: hi there\nBob: hello, how are you?\nAnn: fine thanks')).toEqual([
    'prose (Ann): hi there',
    'prose (Bob): hello, how are you?',
    'prose (Ann): fine thanks'
  ])
})

test.each([
  '[10:32] Ann Lee: hi there\n[10:33] Bob: I sold the van\nlast week\n\n[10:35] Ann Lee: nice',
  '03/05/2022, 10:32 - Ann Lee: hi there\n03/05/2022, 10:33 - Bob: I sold the van\nlast week\n03/05/2022, 10:35 - Ann Lee: nice',
  '10:32 pm <Ann Lee> hi there\n10:33 pm <Bob> I sold the van\nlast week\n10:35 pm <Ann Lee> nice'
])('reads a chat log as prose with its speakers: %j', (text) => {
  expect(outline(text)).toEqual([
    'prose (Ann Lee): hi there',
    'prose (Bob): I sold the van\nlast week',
    'prose (Ann Lee): nice'
  ])
})

test('does not read times at the start of lines as a chat log', () => {
  const text = '10:30 the train leaves.\n11:00 tea in the shed.'
  expect(outline(text).join()).not.toContain('(')
})

test('does not read a task as a field', () => {
  expect(outline('- [ ] Ann: call the bank\n- [x] Bob: pay the rent')).toEqual([
    'item 0 - Ann: call the bank',
    'item 0 - Bob: pay the rent'
  ])
})

test('reads items in the form of fields as fields', () => {
  expect(outline('- **Owner**: Ada\n- Status: blocked\n- call the bank')).toEqual([
    'field item: Owner = Ada',
    'field item: Status = blocked',
    'item 0 - call the bank'
  ])
})

test('reads sections of a settings file as headings over their assignments', () => {
  expect(outline('[shed]\nport = 80\nhost = heron')).toEqual([
    'heading 2: shed',
    'field assignment: port = 80',
    'field assignment: host = heron'
  ])
})

test('reads front matter, with one field per value of a list', () => {
  const text = '---\ntitle: "Boat trip"\n# remark\npeople:\n  - Ann\n  - Bob\ntags: [sea]\n---\nWe sail.'
  expect(outline(text)).toEqual([
    'field front-matter: title = Boat trip',
    'field front-matter: people = Ann',
    'field front-matter: people = Bob',
    'field front-matter: tags = sea',
    'prose: We sail.'
  ])
  expect(outline('---\nWe sail on Monday.\n---\nBye.').some((line) => line.startsWith('field'))).toBe(false)
})

test('reads the YAML of front matter: quotes, comments, lists in lists, folded values', () => {
  const text =
    '---\ntitle: "A: b" # remark\ntags: [sea, "tide, high", [[Harbour]]]\nrelated:\n- "[[Ada Pell]]"\nsummary: >\n  We sail\n  at noon.\nempty:\nauthor:\n  name: Ann\n---\nGo.'
  expect(outline(text)).toEqual([
    'field front-matter: title = A: b',
    'field front-matter: tags = sea',
    'field front-matter: tags = tide, high',
    'field front-matter: tags = Harbour',
    'field front-matter: related = [[Ada Pell]]',
    'field front-matter: summary = We sail\n  at noon.',
    'prose: Go.'
  ])
})

test('reads a value of front matter that is not valid YAML as it stands', () => {
  expect(outline('---\ntitle: Tides: a guide\nowner: @ann\n---\nGo.')).toEqual([
    'field front-matter: title = Tides: a guide',
    'field front-matter: owner = @ann',
    'prose: Go.'
  ])
})

test('reads the assignments and lists of TOML front matter', () => {
  expect(outline('+++\ntitle = "Boat trip"\ntags = ["sea", "tide"]\n+++\nGo.')).toEqual([
    'field front-matter: title = Boat trip',
    'field front-matter: tags = sea',
    'field front-matter: tags = tide',
    'prose: Go.'
  ])
})

test.each([
  ['brackets', '['.repeat(3_000)],
  ['lists in lists', '- '.repeat(1_500)],
  ['keys in keys', '? '.repeat(1_500)],
  ['lists in lists, by lines', Array.from({ length: 150 }, (_, n) => `\n${' '.repeat(n + 1)}-`).join('')],
  ['anchors', '&a '.repeat(1_000)],
  ['aliases', '[&a [x, x], *a, *a]']
])('reads front matter of %s without an error', (_what, value) => {
  expect(outline(`---\ntitle: Boat\nodd: ${value}\n---\nGo.`)).toContain('field front-matter: title = Boat')
})

test('reads a mail header with folded lines if it has two known fields', () => {
  const text = 'From: Ann <ann@acme.test>\nTo: bob@acme.test,\n cy@acme.test\nSubject: Rent\n\nIt is due.'
  expect(outline(text)).toEqual([
    'field mail: From = Ann <ann@acme.test>',
    'field mail: To = bob@acme.test,\n cy@acme.test',
    'field mail: Subject = Rent',
    'prose (Ann): It is due.'
  ])
  expect(outline('From: the office\nI walk home.').some((line) => line.includes('mail'))).toBe(false)
})
