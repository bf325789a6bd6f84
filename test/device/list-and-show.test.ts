import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeFiles } from '../../bin/node/node-files.ts'
import type { ListOptions } from '../../src/device/device.ts'
import { batchOf, bench, faultOf, streamOf, texts } from './device-kit.ts'

const DAYS = [
  { raw_text: 'third', at: '2026-01-03', speaker: 'Ada', conversation: 'c', position: 1 },
  { raw_text: 'first', at: '2026-01-01', speaker: 'Bob' },
  { raw_text: 'third too', at: '2026-01-03', conversation: 'c', position: 2 },
  { raw_text: 'second', at: '2026-01-02T12:00:00+02:00', speaker: 'Ada' }
]

async function days() {
  const made = await bench()
  await made.device.storeBatch(streamOf(batchOf(...DAYS)))
  return made
}

test.each<[string, ListOptions, string[]]>([
  ['all, by time and position', {}, ['first', 'second', 'third', 'third too']],
  ['the newest two', { limit: 2 }, ['third', 'third too']],
  ['all if the limit is higher', { limit: 9 }, ['first', 'second', 'third', 'third too']],
  ['from a day onwards', { since: '2026-01-02' }, ['second', 'third', 'third too']],
  ['before a moment', { until: '2026-01-02T10:00:00Z' }, ['first']],
  ['between two', { since: '2026-01-02T10:00:00.000Z', until: '2026-01-03' }, ['second']],
  ['of a speaker', { speaker: 'Ada' }, ['second', 'third']],
  ['the newest of a speaker', { speaker: 'Ada', limit: 1 }, ['third']],
  ['of a conversation', { conversation: 'c' }, ['third', 'third too']],
  ['of an unknown speaker', { speaker: 'ada' }, []]
])('lists %s', async (_what, options, expected) => {
  const { device } = await days()
  expect([...device.list(options).records].map(({ text }) => text)).toEqual(expected)
})

test.each<ListOptions>([{ limit: 0 }, { limit: -1 }, { limit: 1.5 }, { since: 'monday' }, { until: '2026-02-30' }])(
  'refuses a list with %j',
  async (options) => {
    const { device } = await days()
    expect(await faultOf(() => device.list(options))).toMatchObject({ code: 'usage' })
  }
)

test('opens no file until a list is read, and reads it again on request', async () => {
  const open = new Set<number>()
  const files = {
    ...nodeFiles,
    open: (...call: Parameters<typeof nodeFiles.open>) => {
      const fd = nodeFiles.open(...call)
      open.add(fd)
      return fd
    },
    close: (fd: number) => {
      open.delete(fd)
      nodeFiles.close(fd)
    }
  }
  const { another } = await days()
  const device = another({ files })
  const { records } = device.list()
  expect(open.size).toBe(0)
  expect([...records]).toEqual([...records])
  for (const _record of records) break
  expect(open.size).toBe(0)
})

test('lists the new content if the file was replaced before the list is read', async () => {
  const { device } = await days()
  const { records } = device.list()
  const [first] = [...records]
  await device.forget([first?.id ?? ''], { compact: true })
  expect([...records].map(({ text }) => text)).toEqual(['second', 'third', 'third too'])
})

test('reports damage and continues', async () => {
  const { device, lines, write } = await days()
  write(`${lines().join('\n').replace('"first"', '"fist"')}\nno line\n`)
  const { records, damaged } = device.list()
  expect([...records]).toHaveLength(3)
  expect(damaged).toEqual([
    { line: 3, offset: expect.any(Number), reason: expect.stringContaining('`check`') },
    { line: 6, offset: expect.any(Number), reason: expect.any(String) }
  ])
  expect(await device.stats()).toMatchObject({ memories: 3, damaged: 2, lost: 0 })
  expect(await device.verify()).toMatchObject({ sound: false, damaged })
  await device.store({ text: 'another' })
  expect(texts(device)).toContain('another')
})

test('shows a line with its place and whether it is forgotten', async () => {
  const { device, path } = await days()
  const [record] = [...device.list().records]
  const id = record?.id ?? ''
  const shown = device.show(id.slice(0, 12))
  expect(shown).toMatchObject({ record, line: 3, forgotten: false })
  const bytes = readFileSync(path).subarray(shown.offset, shown.offset + shown.bytes)
  expect(JSON.parse(bytes.toString())).toEqual(record)
  await device.forget([id])
  expect(device.show(id)).toMatchObject({ forgotten: true })
  await device.compact()
  expect(await faultOf(() => device.show(id))).toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('forgotten')
  })
})

test('counts the content, and reports whether the index matches', async () => {
  const { device, path } = await days()
  expect((await device.stats()).index).toBeNull()
  const [first] = [...device.list().records]
  await device.forget([first?.id ?? ''])
  await device.search('third')
  appendFileSync(path, '{"torn')
  writeFileSync(`${path}.aside`, 'aside')
  expect(await device.stats()).toEqual({
    path,
    form: 'jsonl',
    bytes: readFileSync(path).length,
    memories: 3,
    forgotten: 1,
    unknown: 0,
    surplus: 1,
    conversations: 1,
    speakers: 1,
    first_at: '2026-01-02T10:00:00.000Z',
    last_at: '2026-01-03T00:00:00.000Z',
    text_bytes: 'secondthirdthird too'.length,
    damaged: 0,
    damaged_lines: [],
    lost: 0,
    aside_bytes: 5,
    index: { bytes: expect.any(Number), memories: 3, fits: false },
    ...{ entities: 1, facts: 0, facts_current: 0, facts_superseded: 0, facts_contradicted: 0, facts_left_out: 0 },
    ...{ procedures: 0, events: 0, top_entities: [{ name: 'Ada', mentions: 2 }], top_predicates: [] }
  })
})

test('distinguishes an unfinished tail from damage, which the next store moves aside with a note', async () => {
  const { device, path, folder } = await days()
  appendFileSync(path, '{"torn')
  expect(await device.verify()).toMatchObject({ sound: true, tail: { bytes: 6, sound: false }, damaged: [] })
  const { notes } = await device.store({ text: 'next' })
  expect(notes).toEqual([`an unfinished line (6 bytes, never acknowledged) was moved to ${path}.aside`])
  expect(readFileSync(`${path}.aside`, 'utf8')).toBe('{"torn\n')
  expect(await device.verify()).toMatchObject({ sound: true, tail: null, memories: 5, notes: [] })
  expect(
    readdirSync(folder)
      .filter((name) => name !== 'cache')
      .sort()
  ).toEqual(['a.mem.jsonl', 'a.mem.jsonl.aside'])
})

test('counts lost lines that no other check can reveal', async () => {
  const { device, lines, write } = await days()
  await device.compact()
  const [header, , ...rest] = lines()
  write([header, ...rest, ''].join('\n'))
  expect(await device.verify()).toMatchObject({ sound: false, lost: 1, damaged: [] })
  expect(await device.stats()).toMatchObject({ lost: 1 })
})

test('says that the file is unchanged when reading is stopped', async () => {
  const { device } = await bench()
  const many = Array.from({ length: 3000 }, (_, i) => ({ raw_text: `${i}`, metadata: { pad: 'x'.repeat(9000) } }))
  await device.storeBatch(streamOf(batchOf(...many)))
  const signal = AbortSignal.abort()
  for (const work of ['verify', 'stats', 'compact'] as const) {
    expect(await faultOf(() => device[work]({ signal }))).toMatchObject({
      code: 'cancelled',
      message: expect.stringContaining('the file is unchanged')
    })
  }
})

test('gives the same fault for a file that is not a snapshot from every reading method', async () => {
  const { device, write, folder } = await days()
  write('{"format":"other"}\n')
  const works = [
    () => device.list(),
    () => device.show('abcdef'),
    () => device.stats(),
    () => device.verify(),
    () => device.search('x'),
    () => device.store({ text: 'x' }),
    () => device.forget(['abcdef']),
    () => device.compact(),
    () => device.storeBatch(streamOf(batchOf({ raw_text: 'x' })))
  ]
  for (const work of works) expect(await faultOf(work)).toMatchObject({ code: 'not_a_snapshot' })
  expect(readFileSync(join(folder, 'a.mem.jsonl'), 'utf8')).toBe('{"format":"other"}\n')
})
