import { expect, test } from 'vitest'
import { findFormat } from '../../../src/ingest/detect-format.ts'
import { parseMap } from '../../../src/ingest/formats/convert-json.ts'
import { testFormat } from '../format-suite.ts'
import { convertTree, linesOf, treeOf } from '../ingest-kit.ts'

const MAP = 'text=body,speaker=author.name,at=sent,conversation=room,id=key'
const LINES = [
  { key: 1, room: 'quay', author: { name: 'Ann' }, sent: '2026-01-13T10:00:00Z', body: 'The ferry leaves at nine.' },
  { key: 2, room: 'quay', author: { name: 'Ben' }, sent: 1_768_298_460, body: 'The tide turns at noon.' },
  { key: 2, room: 'quay', author: { name: 'Ben' }, sent: 1_768_298_460, body: 'The tide turns at noon.' },
  { key: 3, body: ['not', 'text'] },
  { key: 4 }
]

testFormat('json', {
  files: { 'messages.jsonl': `${LINES.map((line) => JSON.stringify(line)).join('\n')}\n{"key":`, 'a.png': 'x' },
  phrases: ['The ferry leaves at nine', 'The tide turns at noon'],
  options: { map: MAP }
})

test('reads the members that the map names, and counts what has no text', async () => {
  const files = { 'messages.json': JSON.stringify(LINES) }
  const { items, report } = await convertTree(findFormat('json'), treeOf(files), { map: MAP })
  expect(linesOf(items)).toMatchObject([
    {
      raw_text: 'The ferry leaves at nine.',
      speaker: 'Ann',
      at: '2026-01-13T10:00:00.000Z',
      conversation: 'json:quay'
    },
    { raw_text: 'The tide turns at noon.', speaker: 'Ben', at: '2026-01-13T10:01:00.000Z', position: 1 }
  ])
  expect(report).toMatchObject({ seen: 5, taken: 2, merged: 1, left_out: 2 })
})

test('reads the list that the map names, in one object', async () => {
  const files = { 'messages.json': JSON.stringify({ data: { rows: LINES } }) }
  const { report } = await convertTree(findFormat('json'), treeOf(files), { map: `${MAP},each=data.rows` })
  expect(report).toMatchObject({ seen: 5, taken: 2 })
})

test('names the part of an invalid map', () => {
  expect(() => parseMap('text=body,colour=x')).toThrow(/invalid part of --map: 'colour=x': expected FIELD=MEMBER/)
  expect(() => parseMap('speaker=name')).toThrow('invalid --map: expected a member for text')
})

test('names the person of a chat with an assistant by --me', async () => {
  const files = {
    'chat.json': JSON.stringify([
      { role: 'user', text: 'I keep bees in Bray.' },
      { role: 'Human', text: 'I moved here in May.' },
      { role: 'assistant', text: 'Bees like clover.' }
    ])
  }
  const map = 'text=text,speaker=role'
  const named = await convertTree(findFormat('json'), treeOf(files), { map, me: 'Ida' })
  expect(linesOf(named.items).map((line) => line.speaker)).toEqual(['Ida', 'Ida', 'assistant'])
  const plain = await convertTree(findFormat('json'), treeOf(files), { map })
  expect(linesOf(plain.items).map((line) => line.speaker)).toEqual(['user', 'Human', 'assistant'])
})
