import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { detectFormat, findFormat } from '../../../src/ingest/detect-format.ts'
import { parseWhatsAppChat } from '../../../src/ingest/formats/parse-whats-app-chat.ts'
import { testFormat } from '../format-suite.ts'
import { batchOf, convertTree, linesOf, treeOf } from '../ingest-kit.ts'

const CHAT = [
  '13/01/26, 09:00 - Messages and calls are end-to-end encrypted. Tap to learn more.',
  '13/01/26, 09:01 - Ann Lee: The ferry leaves at nine.',
  'Bring the red rope.',
  '13/01/26, 09:02 - Ben: <Media omitted>',
  '13/01/26, 09:03 - Ann Lee changed the subject from "Old: boats" to "New"',
  '13/01/26, 09:04 - Ben: chart.pdf (file attached)',
  'The chart of the bay',
  '13/01/26, 09:05 - Ben: This message was deleted',
  '13/01/26, 09:06 - Ben: ok',
  '13/01/26, 09:06 - Ben: ok'
].join('\n')

const CHATS = { 'WhatsApp Chat with Ann Lee.txt': CHAT, 'IMG-1.jpg': 'x' }

testFormat('whatsapp', {
  files: CHATS,
  phrases: ['The ferry leaves at nine', 'Bring the red rope', 'The chart of the bay']
})

test('names the reason for every message that is left out', async () => {
  const { items, report } = await convertTree(findFormat('whatsapp'), treeOf(CHATS), { zone: 'Europe/Berlin' })
  expect(linesOf(items)[0]).toMatchObject({
    raw_text: 'The ferry leaves at nine.\nBring the red rope.',
    speaker: 'Ann Lee',
    at: '2026-01-13T08:01:00.000Z',
    conversation: 'whatsapp:Ann Lee',
    metadata: { zone_guessed: true }
  })
  expect(report.kinds.message).toEqual({ seen: 8, taken: 3, merged: 1, left_out: 4 })
  expect(report.losses.map(({ kind, reason, count }) => `${count} ${kind}: ${reason}`)).toEqual([
    '2 message: system',
    '1 attachment: attachment',
    '1 file: image',
    '1 message: attachment',
    '1 message: deleted'
  ])
})

test.for([
  '<Medien ausgeschlossen>',
  '<Multimedia omitido>',
  '<Médias omis>',
  '< Média vynechána >',
  '<忽略多媒體檔>',
  'Bild weggelassen',
  'imagen omitida',
  'IMG-1.jpg (Datei angehängt)',
  '<Anhang: 1-PHOTO.jpg>',
  '<添付ファイル: 1-PHOTO.jpg>'
])('takes %s as a file that is not in the chat', async (words) => {
  const files = { 'a.txt': `13/01/26, 09:01 - Ann: Hi\n13/01/26, 09:02 - Ann: ${words}` }
  const { report } = await convertTree(findFormat('whatsapp'), treeOf(files))
  expect(report).toMatchObject({ taken: 1, losses: [{ reason: 'attachment', count: 1 }] })
})

test.for([
  ['13/01/26, 09:01 - Ann: Hi', '2026-01-13T09:01:00.000Z'],
  ['1/13/26, 9:01 PM - Ann: Hi', '2026-01-13T21:01:00.000Z'],
  ['1/13/26, 12:01\u202fAM - Ann: Hi', '2026-01-13T00:01:00.000Z'],
  ['13.01.26, 09:01 - Ann: Hi', '2026-01-13T09:01:00.000Z'],
  ['[13.01.26, 09:01:05] Ann: Hi', '2026-01-13T09:01:05.000Z'],
  ['\u200e[13/01/2026, 09:01:05] Ann: Hi', '2026-01-13T09:01:05.000Z'],
  ['[1/13/26, 9:01:05 PM] Ann: Hi', '2026-01-13T21:01:05.000Z'],
  ['2026-01-13, 09:01 - Ann: Hi', '2026-01-13T09:01:00.000Z'],
  ['2026/01/13, 09:01 - Ann: Hi', '2026-01-13T09:01:00.000Z'],
  ['13-01-2026 09:01 - Ann: Hi', '2026-01-13T09:01:00.000Z'],
  ['13/1/26, 9:01 p. m. - Ann: Hi', '2026-01-13T21:01:00.000Z'],
  ['[2026/1/13 下午9:01:05] Ann: Hi', '2026-01-13T21:01:05.000Z']
])('reads and detects the stamp of %s', async ([line = '', at = '']) => {
  expect(parseWhatsAppChat(line, 'UTC')).toMatchObject([{ time: { ms: Date.parse(at) }, speaker: 'Ann', text: 'Hi' }])
  expect((await detectFormat(treeOf({ 'chat.txt': line }))).facts.id).toBe('whatsapp')
})

test('decides the order of day and month over the whole file', () => {
  const days = (text: string) =>
    parseWhatsAppChat(text, 'UTC').map(({ time }) => new Date(time?.ms ?? 0).toISOString().slice(0, 10))
  expect(days('1/2/26, 09:00 - A: x\n1/13/26, 09:00 - A: x')).toEqual(['2026-01-02', '2026-01-13'])
  expect(days('1/2/26, 09:00 - A: x\n13/2/26, 09:00 - A: x')).toEqual(['2026-02-01', '2026-02-13'])
  expect(days('11/2/26, 09:00 - A: x\n12/2/26, 09:00 - A: x\n1/3/26, 09:00 - A: x')).toEqual([
    '2026-02-11',
    '2026-02-12',
    '2026-03-01'
  ])
})

const FIXTURES = '../shared/fixtures/ingest/chat-miner/whatsapp'

test('reads public exports in two orders of day and month alike', async ({ skip }) => {
  skip(!existsSync(FIXTURES), 'the public fixtures are not installed')
  const read = async (name: string) => {
    const { text, report } = await batchOf(`${FIXTURES}/${name}`)
    expect(report).toMatchObject({ format: 'whatsapp', seen: 9, taken: 7, left_out: 2 })
    return text.match(/"at":"[^"]{10}/g)
  }
  expect(await read('test_ddmmyy_24hrs.txt')).toEqual(await read('test_mmddyyyy_12hrs.txt'))
})
