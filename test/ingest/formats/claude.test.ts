import { expect, test } from 'vitest'
import { findFormat } from '../../../src/ingest/detect-format.ts'
import { testFormat } from '../format-suite.ts'
import { convertTree, linesOf, treeOf } from '../ingest-kit.ts'

const message = (uuid: string, sender: string, more: object) => ({
  uuid,
  sender,
  created_at: '2026-01-05T10:00:00.123456Z',
  ...more
})

const CHATS = [
  {
    uuid: 'c1',
    name: 'The boat',
    created_at: '2026-01-05T09:59:00Z',
    chat_messages: [
      message('m1', 'human', {
        text: 'Which knot holds a fender?',
        content: [{ type: 'text', text: 'Which knot holds a fender?' }],
        attachments: [
          { file_name: 'list.txt', extracted_content: 'Ropes and cleats to order.' },
          { file_name: 'a.pdf' }
        ],
        files: [{ file_name: 'knot.png' }]
      }),
      message('m2', 'assistant', {
        text: 'Let me think. A clove hitch holds it.',
        content: [
          { type: 'thinking', thinking: 'Let me think.' },
          { type: 'tool_use', name: 'search', input: {} },
          { type: 'text', text: 'A clove hitch holds it.' },
          { type: 'hologram' }
        ]
      }),
      message('m3', 'human', { content: [{ type: 'voice_note', transcript: 'And in a swell?' }] }),
      message('m4', 'assistant', { text: 'Add a half hitch on top.' }),
      message('m5', 'human', { text: '', content: [] })
    ]
  }
]

const FILES = { 'conversations.json': JSON.stringify(CHATS), 'users.json': '[{"uuid": "u"}]' }

testFormat('claude', {
  files: FILES,
  phrases: [
    'Which knot holds a fender',
    'A clove hitch holds it',
    'And in a swell',
    'Add a half hitch on top',
    'Ropes and cleats to order'
  ]
})

test('takes the words of content blocks without thinking, and the text of attachments', async () => {
  const { items, report } = await convertTree(findFormat('claude'), treeOf(FILES), { me: 'Ada' })
  expect(linesOf(items)).toMatchObject([
    {
      raw_text: 'Which knot holds a fender?',
      speaker: 'Ada',
      conversation: 'claude:c1',
      position: 0,
      at: '2026-01-05T10:00:00.123Z'
    },
    { raw_text: 'Ropes and cleats to order.', metadata: { attachment: 'list.txt' } },
    { raw_text: 'A clove hitch holds it.', speaker: 'Claude', position: 1 },
    { raw_text: 'And in a swell?' },
    { raw_text: 'Add a half hitch on top.' }
  ])
  expect(report.losses.map(({ kind, reason, count }) => `${count} ${kind} ${reason}`).sort()).toEqual([
    '1 block thinking',
    '1 block tool_call',
    '1 block unknown_content',
    '1 file settings',
    '1 message empty',
    '2 attachment attachment'
  ])
})
