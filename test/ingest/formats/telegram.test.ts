import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findFormat } from '../../../src/ingest/detect-format.ts'
import { testFormat } from '../format-suite.ts'
import { batchOf, convertTree, linesOf, treeOf } from '../ingest-kit.ts'

const message = (id: number, more: object): object => ({
  id,
  type: 'message',
  date: '2026-01-13T10:00:00',
  date_unixtime: String(1_768_298_400 + id),
  from: 'Ann Lee',
  from_id: 'user1',
  text: '',
  ...more
})

const CHAT = {
  name: 'Harbour',
  type: 'private_group',
  id: 77,
  messages: [
    { id: 1, type: 'service', date_unixtime: '1768298400', actor: 'Ann Lee', action: 'create_group', text: '' },
    message(2, { text: ['The ', { type: 'bold', text: 'blue boat' }, ' leaves at nine.'] }),
    message(3, { photo: 'photos/1.jpg', text: 'Our new mast.' }),
    message(4, { file: 'voice.ogg', media_type: 'voice_message' }),
    message(5, { poll: { question: 'Where do we moor?', answers: [{ text: 'Berth seven' }, { text: 'Outside' }] } }),
    message(6, { from: null, text: 'A forwarded forecast.', forwarded_from: 'Weather channel' }),
    message(6, { from: null, text: 'A forwarded forecast.', forwarded_from: 'Weather channel' }),
    message(7, {})
  ]
}

const EXPORT = {
  'result.json': JSON.stringify({
    about: 'Here is the data you requested. Remember: Telegram is ad free.',
    personal_information: { first_name: 'Ann' },
    chats: { about: '', list: [CHAT] },
    left_chats: { list: [{ id: 9, name: 'Old', messages: [message(1, { text: 'Goodbye to the old crew.' })] }] }
  }),
  'photos/1.jpg': 'x'
}

testFormat('telegram', {
  files: EXPORT,
  phrases: ['The blue boat leaves at nine', 'Where do we moor', 'Goodbye to the old crew']
})

test('joins the parts of a text, and takes the time in seconds since 1970', async () => {
  const { items, report } = await convertTree(findFormat('telegram'), treeOf(EXPORT))
  const lines = linesOf(items)
  expect(lines[0]).toMatchObject({
    raw_text: 'The blue boat leaves at nine.',
    speaker: 'Ann Lee',
    at: '2026-01-13T10:00:02.000Z',
    conversation: 'telegram:77',
    position: 1,
    metadata: { title: 'Harbour', source: { format: 'telegram', id: '77/2', path: 'result.json' } }
  })
  expect(lines).toContainEqual(
    expect.objectContaining({
      speaker: 'user1',
      metadata: expect.objectContaining({ forwarded_from: 'Weather channel' })
    })
  )
  expect(report.kinds.message).toEqual({ seen: 9, taken: 5, merged: 1, left_out: 3 })
})

const FIXTURE = '../shared/fixtures/ingest/chat-miner/telegram/test_single_export.json'

test('reads a public export', async ({ skip }) => {
  skip(!existsSync(FIXTURE), 'the public fixtures are not installed')
  const { report, text } = await batchOf(FIXTURE)
  expect(report).toMatchObject({ format: 'telegram', seen: 2, taken: 2 })
  expect(text).toMatch(/Link:https:\/\//)
})
