import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeClock } from '../../bin/node/node-clock.ts'
import type { Clock } from '../../src/ports.ts'
import { bench, faultOf } from '../device/device-kit.ts'
import { folderOf, type InputFiles, ingestPath } from './ingest-kit.ts'

/** A folder of notes that was ingested on 1 March 2026, and functions to change it and to ingest it again. */
async function ingested(files: InputFiles) {
  let now = Date.parse('2026-03-01T12:00:00Z')
  const clock: Clock = { ...nodeClock, now: () => now }
  const { device } = await bench({ clock })
  const path = folderOf(files)
  await ingestPath(device, path)
  return {
    device,
    path,
    write: (name: string, text: string) => writeFileSync(join(path, name), text),
    again: (options = {}) => {
      now += 86_400_000
      return ingestPath(device, path, options)
    },
    search: async (query: string, asOf?: string) => {
      const { response } = await device.search(query, asOf === undefined ? {} : { as_of: asOf })
      return response.sources.filter(({ superseded_by }) => superseded_by === undefined).map(({ text }) => text)
    },
    texts: () => [...device.list().records].map(({ text }) => text)
  }
}

const NOTES = { 'boat.md': 'The blue boat lies in Porto.', 'daily/2026-02-01.md': 'Ben repaired the crane.' }

test('lets the edited text of a note hold from now on, and the earlier text as of before', async () => {
  const { write, again, search } = await ingested(NOTES)
  write('boat.md', 'The blue boat lies in Faro.')
  expect(await again()).toMatchObject({ stored: 1, superseded: 1, known: 1, gone: 1, pruned: 0 })
  expect(await search('blue boat')).toEqual(['The blue boat lies in Faro.'])
  expect(await search('blue boat', '2026-03-01T18:00:00Z')).toEqual(['The blue boat lies in Porto.'])
})

test('replaces the text of a dated note from the time of the import on', async () => {
  const { write, again, search } = await ingested(NOTES)
  write('daily/2026-02-01.md', 'Ben repaired the winch.')
  await again()
  expect(await search('Ben repaired')).toEqual(['Ben repaired the winch.'])
  expect(await search('Ben repaired', '2026-03-01T18:00:00Z')).toEqual(['Ben repaired the crane.'])
  expect(await again()).toMatchObject({ stored: 0, superseded: 0 })
})

test('stores nothing if the edited folder is ingested again', async () => {
  const { write, again } = await ingested(NOTES)
  write('boat.md', 'The blue boat lies in Faro.')
  await again()
  expect(await again()).toMatchObject({ stored: 0, known: 2, differed: 0, superseded: 0 })
})

test('lets a text hold again to which a note returns', async () => {
  const { write, again, search } = await ingested(NOTES)
  write('boat.md', 'The blue boat lies in Faro.')
  await again()
  write('boat.md', NOTES['boat.md'])
  expect(await again()).toMatchObject({ stored: 1, superseded: 1 })
  expect(await search('blue boat')).toEqual(['The blue boat lies in Porto.'])
  expect(await again()).toMatchObject({ stored: 0, superseded: 0 })
})

test('changes only the edited chunk of a long note', async () => {
  const parts = Array.from({ length: 40 }, (_, n) => `## Part ${n}\n\n${`Sentence of part ${n}. `.repeat(20)}`)
  const { write, again } = await ingested({ 'long.md': parts.join('\n\n') })
  write('long.md', parts.with(20, '## Part 20\n\nA new paragraph.').join('\n\n'))
  const report = await again()
  expect(report.stored).toBeLessThan(5)
  expect(report.known).toBeGreaterThan(8)
})

test('recognises a file that was renamed, and one that was edited after it was renamed', async () => {
  const { path, again, write, texts } = await ingested({
    ...NOTES,
    'long.md': 'The harbour has nine cranes and one lighthouse on the pier.'
  })
  mkdirSync(join(path, 'sea'))
  renameSync(join(path, 'long.md'), join(path, 'sea/harbour.md'))
  expect(await again()).toMatchObject({ stored: 0, renamed: 1, superseded: 0, gone: 0 })
  write('sea/harbour.md', 'The harbour has nine cranes and one lighthouse on the new pier.')
  expect(await again()).toMatchObject({ stored: 1, superseded: 1 })
  expect(texts()).toHaveLength(4)
})

test('keeps what is gone without --prune, and forgets it with --prune', async () => {
  const { path, again, texts } = await ingested(NOTES)
  rmSync(join(path, 'boat.md'))
  expect(await again()).toMatchObject({ gone: 1, pruned: 0 })
  expect(texts()).toHaveLength(2)
  expect(await again({ prune: true })).toMatchObject({ gone: 1, pruned: 1 })
  expect(texts()).toEqual(['Ben repaired the crane.'])
  expect(await again({ prune: true })).toMatchObject({ gone: 0, pruned: 0 })
})

test('does not forget a large part of a source without a confirmation', async () => {
  const files = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`${n}.md`, `The note of pier ${n}.`]))
  const { path, again, texts } = await ingested(files)
  for (let n = 0; n < 5; n++) rmSync(join(path, `${n}.md`))
  expect(await faultOf(() => again({ prune: true }))).toMatchObject({ code: 'conflict' })
  expect(texts()).toHaveLength(10)
  expect(await again({ prune: true, pruneMany: true })).toMatchObject({ pruned: 5 })
})

test('does not take files that --only excludes as gone', async () => {
  const { again, texts } = await ingested(NOTES)
  expect(await again({ prune: true, only: 'boat.md' })).toMatchObject({ gone: 0, pruned: 0 })
  expect(texts()).toHaveLength(2)
})

test('recognises a document that a connector has stored, by its text', async () => {
  const { device } = await bench()
  const line = {
    raw_text: 'The ferry leaves at nine.',
    conversation: 'cloud_drive:f1',
    position: 1,
    metadata: { source: 'cloud_drive' }
  }
  async function* batch() {
    yield `${JSON.stringify(line)}\n`
  }
  await device.storeBatch({ stream: batch() })
  expect(await ingestPath(device, folderOf({ 'a.txt': 'The ferry leaves at nine.', 'b.txt': 'Rain.' }))).toMatchObject({
    stored: 1,
    known: 1
  })
})

const memory = (text: string, at: string) =>
  JSON.stringify([{ id: 'm1', memory: text, user_id: 'ann', created_at: '2026-01-02T00:00:00Z', updated_at: at }])

test('replaces the text of a native id, from the time that the source gives', async () => {
  const { write, again, search } = await ingested({ 'mem0.json': memory('Lives in Porto', '2026-01-02T00:00:00Z') })
  write('mem0.json', memory('Lives in Faro', '2026-02-01T00:00:00Z'))
  expect(await again()).toMatchObject({ format: 'mem0', stored: 1, superseded: 1 })
  expect(await search('where does ann live')).toEqual(['Lives in Faro'])
  expect(await search('where does ann live', '2026-01-15T00:00:00Z')).toEqual(['Lives in Porto'])
  expect(await again()).toMatchObject({ stored: 0, superseded: 0 })
})

const PAGE = '0123456789abcdef0123456789abcdef'
const OTHER_PAGE = 'fedcba9876543210fedcba9876543210'

const TABLE = `Boats ${PAGE}.csv`

/** Inputs of formats whose items have native ids: two items, the edit of the second, and only the first. */
const NATIVE: Record<string, { both: InputFiles; edited: InputFiles; first: InputFiles }> = {
  notion: {
    both: { [`A ${PAGE}.md`]: 'The ferry leaves at nine.', [`B ${OTHER_PAGE}.md`]: 'The boat lies in Porto.' },
    edited: { [`B ${OTHER_PAGE}.md`]: 'The boat lies in Faro.' },
    first: { [`A ${PAGE}.md`]: 'The ferry leaves at nine.' }
  },
  'rows of notion': {
    both: { [TABLE]: 'Name,Note\nFerry,The ferry leaves at nine.\nBoat,The boat lies in Porto.\n' },
    edited: { [TABLE]: 'Name,Note\nBoat,The boat lies in Faro.\nFerry,The ferry leaves at nine.\n' },
    first: { [TABLE]: 'Name,Note\nFerry,The ferry leaves at nine.\n' }
  },
  mem0: {
    both: { 'a.json': mem0('The ferry leaves at nine.', 'The boat lies in Porto.') },
    edited: { 'a.json': mem0('The ferry leaves at nine.', 'The boat lies in Faro.') },
    first: { 'a.json': mem0('The ferry leaves at nine.') }
  },
  mcp_memory: {
    both: { 'memory.jsonl': entities('The ferry leaves at nine.', 'The boat lies in Porto.') },
    edited: { 'memory.jsonl': entities('The ferry leaves at nine.', 'The boat lies in Faro.') },
    first: { 'memory.jsonl': entities('The ferry leaves at nine.') }
  },
  basic_memory: {
    both: { 'a.md': basicNote('a', 'The ferry leaves at nine.'), 'b.md': basicNote('b', 'The boat lies in Porto.') },
    edited: { 'b.md': basicNote('b', 'The boat lies in Faro.') },
    first: { 'a.md': basicNote('a', 'The ferry leaves at nine.') }
  }
}

function mem0(...texts: string[]): string {
  return JSON.stringify(texts.map((text, n) => ({ id: `m${n}`, memory: text, user_id: 'ann', hash: 'h' })))
}

function entities(...texts: string[]): string {
  const lines = texts.map((text, n) => ({ type: 'entity', name: `e${n}`, entityType: 'thing', observations: [text] }))
  return lines.map((line) => JSON.stringify(line)).join('\n')
}

function basicNote(name: string, text: string): string {
  return `---\ntitle: ${name}\npermalink: ${name}\n---\n- [fact] ${text}`
}

test.each(Object.entries(NATIVE))(
  'replaces an edited item of %s, and forgets one that is gone with --prune',
  async (what, { both, edited, first }) => {
    const { path, again, write, search, texts } = await ingested(both)
    for (const [name, text] of Object.entries(edited)) write(name, String(text))
    const format = what.slice(what.lastIndexOf(' ') + 1)
    expect(await again()).toMatchObject({ format, superseded: 1, renamed: 0, pruned: 0 })
    expect((await search('where does the boat lie')).join()).toMatch(/Faro/)
    expect((await search('where does the boat lie')).join()).not.toMatch(/Porto/)
    expect((await search('where does the boat lie', '2026-03-01T18:00:00Z')).join()).toMatch(/Porto/)
    for (const name of Object.keys(both)) if (first[name] === undefined) rmSync(join(path, name))
    for (const [name, text] of Object.entries(first)) write(name, String(text))
    expect((await again()).gone).toBeGreaterThan(0)
    expect(texts().join()).toMatch(/Faro/)
    await again({ prune: true })
    expect(texts().join()).toMatch(/ferry/)
    expect(texts().join()).not.toMatch(/boat/)
  }
)

/** Exports of a chat with two messages. The second one may have been edited, at a time that the export may state. */
const CHATS: Readonly<Record<string, { name: string; write(boat: string, editedMs?: number): string }>> = {
  telegram: {
    name: 'result.json',
    write: (boat, editedMs) => {
      const edited = editedMs === undefined ? {} : { edited_unixtime: String(editedMs / 1000) }
      const common = { type: 'message', from: 'Ann', date_unixtime: '1767225600', date: '2026-01-01T00:00:00' }
      const messages = ['The ferry leaves at nine.', boat].map((text, n) => ({ id: n, ...common, ...edited, text }))
      return JSON.stringify({ name: 'Boats', type: 'personal_chat', id: 7, messages })
    }
  },
  slack: {
    name: 'boats/2026-01-01.json',
    write: (boat, editedMs) => {
      const edited = editedMs === undefined ? {} : { edited: { user: 'U1', ts: `${editedMs / 1000}.000000` } }
      const common = { type: 'message', user: 'U1', ...edited }
      const texts = ['The ferry leaves at nine.', boat]
      return JSON.stringify(texts.map((text, n) => ({ ...common, text, ts: `${1_767_225_600 + n}.000000` })))
    }
  }
}

test.each(Object.entries(CHATS))(
  'replaces an edited message of %s from the time of its edit, and no message that an export lacks',
  async (format, { name, write: writeChat }) => {
    const { again, write, search, texts } = await ingested({ [name]: writeChat('The boat lies in Porto.') })
    write(name, writeChat('The boat lies in Faro.', Date.parse('2026-02-01T00:00:00Z')))
    expect(await again()).toMatchObject({ format, stored: 1, known: 1, superseded: 1 })
    expect((await search('where does the boat lie')).join()).toMatch(/Faro/)
    expect((await search('where does the boat lie')).join()).not.toMatch(/Porto/)
    expect((await search('where does the boat lie', '2026-01-20T00:00:00Z')).join()).toMatch(/Porto/)
    expect((await search('where does the boat lie', '2026-02-20T00:00:00Z')).join()).not.toMatch(/Porto/)
    expect(await again()).toMatchObject({ stored: 0, known: 2, superseded: 0 })
    write(name, writeChat('The boat lies in Porto.'))
    expect(await again()).toMatchObject({ stored: 1, superseded: 1 })
    expect((await search('where does the boat lie')).join()).toMatch(/Porto/)
    write(name, '[]')
    await again({ prune: true, from: format })
    expect(texts().join()).toMatch(/ferry/)
  }
)

test('forgets no native id because of a damaged or filtered export', async () => {
  const { again, write, texts } = await ingested({ 'a.json': mem0('Rain.', 'Hail.'), 'b.json': mem0('Rain.') })
  expect(await again({ prune: true, only: 'b.json' })).toMatchObject({ gone: 0, pruned: 0 })
  write('a.json', mem0('Rain.', 'Hail.').slice(0, -20))
  expect(await again({ prune: true })).toMatchObject({ gone: 0, pruned: 0 })
  expect(texts()).toHaveLength(2)
})
