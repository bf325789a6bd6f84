import { expect, test } from 'vitest'
import { findFormat } from '../../../src/ingest/detect-format.ts'
import { testFormat } from '../format-suite.ts'
import { convertTree, linesOf, treeOf } from '../ingest-kit.ts'

const line = (type: string, payload: object) => JSON.stringify({ timestamp: '2026-01-05T10:00:00.000Z', type, payload })
const words = (role: string, text: string) => ({
  type: 'message',
  role,
  content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }]
})

const FILES = {
  '2026/01/05/rollout-2026-01-05T10-00-00-s1.jsonl': [
    line('session_meta', { id: 's1', cwd: '/home/ada/boat' }),
    line('response_item', words('user', '<environment_context>linux</environment_context>')),
    line('response_item', words('user', 'Paint the mast in the model red.')),
    line('event_msg', { type: 'user_message', message: 'Paint the mast in the model red.' }),
    line('response_item', { type: 'reasoning', summary: [] }),
    line('response_item', { type: 'function_call', name: 'shell', arguments: '{}' }),
    line('response_item', { type: 'function_call_output', output: 'ok' }),
    line('response_item', words('assistant', 'The mast of the model is red now.')),
    line('turn_context', {})
  ].join('\n'),
  'old/rollout-2.jsonl': [
    JSON.stringify({ id: 's2', timestamp: '2025-06-01T08:00:00Z', instructions: null }),
    JSON.stringify({
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: 'Where is the anchor file?' }]
    })
  ].join('\n')
}

testFormat('codex', {
  files: FILES,
  phrases: ['Paint the mast in the model red', 'The mast of the model is red now', 'Where is the anchor file']
})

test('takes the messages of new and old session files, and merges the events that repeat them', async () => {
  const { items, report } = await convertTree(findFormat('codex'), treeOf(FILES), { me: 'Ada' })
  expect(linesOf(items)).toMatchObject([
    {
      raw_text: 'Paint the mast in the model red.',
      speaker: 'Ada',
      conversation: 'codex:s1',
      metadata: { cwd: '/home/ada/boat' }
    },
    { raw_text: 'The mast of the model is red now.', speaker: 'Codex' },
    { raw_text: 'Where is the anchor file?', conversation: 'codex:s2', at: '2025-06-01T08:00:00.000Z' }
  ])
  expect(report).toMatchObject({ merged: 1, taken: 3 })
})
