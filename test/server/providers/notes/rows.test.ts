import { expect, test } from 'vitest'
import { notesProvider } from '../../../../server/providers/notes/notes-provider.ts'
import { readRow, type Titles } from '../../../../server/providers/notes/read-row.ts'
import { Page } from '../../../../server/providers/notes/wire.ts'
import type { SyncCall } from '../../../../server/providers/port/provider.ts'
import type { Workspace } from '../../../../server/sandbox/notes/content.ts'
import { textOf } from '../../../suites/provider-suite-sync.ts'
import type { SuiteWorld } from '../../../suites/provider-suite-world.ts'
import { ADA, notesWorld, pageTitled } from './notes-kit.ts'

const ID = '01234567-89ab-cdef-0123-456789abcdef'
const OTHER = 'fedcba98-7654-3210-fedc-ba9876543210'
const HIDDEN = '11111111-7654-3210-fedc-ba9876543210'

const TITLES: Titles = {
  source: async () => 'Units',
  page: async (id) => (id === OTHER ? 'Pilot with Northquay' : undefined)
}

const rich = (text: string) => [{ type: 'text', plain_text: text, href: null }]
const ADA_USER = { object: 'user', id: ID, name: 'Ada' }

function rowWith(property: object, name = 'P', parent: object = { type: 'data_source_id', data_source_id: OTHER }) {
  const times = { created_time: '2026-03-01T10:00:00.000Z', last_edited_time: '2026-03-02T10:00:00.000Z' }
  const page = Page.parse({ object: 'page', id: ID, ...times, parent, properties: { [name]: property } })
  return readRow(page, TITLES)
}

/** Values of every type of property, with their line, if any. */
const READ: readonly [object, string | undefined][] = [
  [{ type: 'title', title: rich('Unit 7') }, undefined],
  [{ type: 'rich_text', rich_text: rich('a\nb') }, 'P: a b'],
  [{ type: 'rich_text', rich_text: [] }, undefined],
  [{ type: 'number', number: 0 }, 'P: 0'],
  [{ type: 'number', number: null }, undefined],
  [{ type: 'select', select: { name: 'Red' } }, 'P: Red'],
  [{ type: 'select', select: null }, undefined],
  [{ type: 'status', status: { name: 'Done' } }, 'P: Done'],
  [{ type: 'multi_select', multi_select: [{ name: 'a' }, { name: 'b' }] }, 'P: a, b'],
  [{ type: 'date', date: { start: '2026-03-01', end: '2026-03-04' } }, 'P: 2026-03-01 → 2026-03-04'],
  [{ type: 'people', people: [ADA_USER, { ...ADA_USER, name: 'Ben' }] }, 'P: Ada, Ben'],
  [{ type: 'files', files: [{ name: 'a.pdf' }, { name: 'b.png' }] }, 'P: a.pdf, b.png'],
  [{ type: 'checkbox', checkbox: false }, 'P: no'],
  [{ type: 'url', url: 'https://a.example' }, 'P: https://a.example'],
  [{ type: 'email', email: 'a@b.example' }, 'P: a@b.example'],
  [{ type: 'phone_number', phone_number: '+44 20 7946 0000' }, 'P: +44 20 7946 0000'],
  [{ type: 'formula', formula: { type: 'string', string: 'x' } }, 'P: x'],
  [{ type: 'formula', formula: { type: 'number', number: 3 } }, 'P: 3'],
  [{ type: 'formula', formula: { type: 'boolean', boolean: false } }, 'P: no'],
  [{ type: 'formula', formula: { type: 'date', date: { start: '2026-03-01', end: null } } }, 'P: 2026-03-01'],
  [{ type: 'formula', formula: { type: 'string', string: null } }, undefined],
  [{ type: 'relation', relation: [{ id: OTHER }], has_more: false }, 'P: Pilot with Northquay'],
  [{ type: 'relation', relation: [], has_more: false }, undefined],
  [{ type: 'rollup', rollup: { type: 'number', number: 4, function: 'sum' } }, 'P: 4'],
  [{ type: 'rollup', rollup: { type: 'date', date: null, function: 'latest_date' } }, undefined],
  [
    {
      type: 'rollup',
      rollup: {
        type: 'array',
        array: [
          { type: 'title', title: rich('x') },
          { type: 'number', number: 5 }
        ]
      }
    },
    'P: x, 5'
  ],
  [
    { type: 'rollup', rollup: { type: 'array', array: [{ type: 'relation', relation: [{ id: OTHER }] }] } },
    'P: Pilot with Northquay'
  ],
  [{ type: 'created_time', created_time: '2026-03-01T10:00:00.000Z' }, 'P: 2026-03-01T10:00:00.000Z'],
  [{ type: 'created_by', created_by: ADA_USER }, 'P: Ada'],
  [{ type: 'last_edited_time', last_edited_time: '2026-03-01T10:00:00.000Z' }, undefined],
  [{ type: 'last_edited_by', last_edited_by: ADA_USER }, 'P: Ada'],
  [{ type: 'unique_id', unique_id: { prefix: 'TASK', number: 7 } }, 'P: TASK-7'],
  [
    { type: 'verification', verification: { state: 'verified', verified_by: ADA_USER, date: { start: '2026-03-01' } } },
    'P: verified by Ada, 2026-03-01'
  ],
  [{ type: 'verification', verification: { state: 'unverified', verified_by: null, date: null } }, 'P: unverified'],
  [{ type: 'place', place: { name: 'Quay', address: '1 Harbour Road', lat: 1, lon: 2 } }, 'P: Quay, 1 Harbour Road'],
  [{ type: 'button', button: {} }, undefined]
]

test.for(READ)('reads the property %j completely, as the line %j', async ([property, line]) => {
  expect(await rowWith(property)).toEqual({ table: 'Units', lines: line === undefined ? [] : [line] })
})

/** Values that cannot be read, or not completely, with the line of the rest. */
const UNREAD: readonly [object, string | undefined][] = [
  [{ type: 'ai_answer', ai_answer: 'no' }, undefined],
  [{ type: 'toString', toString: 'odd' }, undefined],
  [{ type: 'relation', relation: [{ id: OTHER }, { id: HIDDEN }] }, 'P: Pilot with Northquay'],
  [{ type: 'relation', relation: [{ id: OTHER }], has_more: true }, 'P: Pilot with Northquay'],
  [{ type: 'people', people: [ADA_USER, { object: 'user', id: OTHER }] }, 'P: Ada'],
  [{ type: 'people', people: Array(25).fill(ADA_USER) }, `P: ${Array(25).fill('Ada').join(', ')}`],
  [{ type: 'rollup', rollup: { type: 'unsupported', unsupported: {} } }, undefined],
  [{ type: 'rollup', rollup: { type: 'array', array: [{ type: 'ai_answer', ai_answer: 'no' }] } }, undefined],
  [{ type: 'number', number: { odd: true } }, undefined]
]

test.for(UNREAD)('names the property %j, which is not read completely', async ([property, line]) => {
  const { type } = property as { type: string }
  expect(await rowWith(property)).toEqual({
    table: 'Units',
    lines: line === undefined ? [] : [line],
    cut: `only a part of the row is read: values are missing of P (${type})`
  })
})

test('shortens the names in a reason', async () => {
  const { cut } = await rowWith({ type: 'ai_answer', ai_answer: 'no' }, `A\nname ${'of name '.repeat(50)}`)
  expect(cut?.length).toBeLessThan(150)
  expect(cut).not.toContain('\n')
})

test('reads no properties of a page that is not a row', async () => {
  expect(await rowWith({ type: 'number', number: 1 }, 'P', { type: 'workspace', workspace: true })).toEqual({
    lines: []
  })
})

const fullCall = (world: SuiteWorld): SyncCall => ({
  ...world.call(),
  ledger: { get: async () => undefined, entries: async () => new Map() }
})

test('reads a row as lines below the titles of its table and itself, with the titles of related pages', async () => {
  const world = await notesWorld(ADA)
  const content = await notesProvider.read(fullCall(world), pageTitled(world.account, 'Trial 1').id)
  expect(content.title).toBe('Trial 1')
  expect(content.cut).toBeUndefined()
  expect(textOf(content)).toBe(
    [
      '# Trials\n## Trial 1\n',
      'Line: Northquay to Vik\nDate: 2025-12-01\nWeather: calm\nPassed: yes\nBy: Tomas Varga\nUnit: Unit 7\n',
      'Nothing to note.'
    ].join('\n')
  )
})

test('replaces the text of a row when one property changes', async () => {
  const world = await notesWorld(ADA)
  const sync = world.sync()
  await sync.follow()
  const { id } = pageTitled(world.account, 'Unit 1')
  const before = textOf(sync.items.get(id)?.content)
  await world.kit.clock.pass(120_000)
  await world.change('edit_page', { page: id, values: { State: 'Lost' } })
  await sync.follow()
  expect(before).toContain('State: In service')
  expect(textOf(sync.items.get(id)?.content)).toBe(before?.replace('State: In service', 'State: Lost'))
})

test('reads the rows of a renamed database again, which were not edited', async () => {
  const world = await notesWorld(ADA)
  const sync = world.sync()
  await sync.follow()
  await world.kit.clock.pass(600_000)
  await sync.follow()
  const { databases } = world.account.content as Workspace
  const units = [...databases.values()].find(({ title }) => title === 'Units')
  await world.change('edit_database', { database: units?.id ?? '', title: 'Heading units' })
  await sync.follow()
  for (const title of ['Unit 1', 'Unit 7'])
    expect(textOf(sync.items.get(pageTitled(world.account, title).id)?.content)).toMatch(/^# Heading units\n/)
  let read = 0
  world.around((fetch) => (request) => {
    if (request.url.endsWith('/markdown')) read += 1
    return fetch(request)
  })
  await world.kit.clock.pass(600_000)
  await sync.follow()
  expect(read).toBe(0)
})
