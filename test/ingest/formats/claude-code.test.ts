import { expect, test } from 'vitest'
import { findFormat } from '../../../src/ingest/detect-format.ts'
import { testFormat } from '../format-suite.ts'
import { convertTree, linesOf, treeOf } from '../ingest-kit.ts'

const line = (
  uuid: string,
  type: string,
  { isSidechain = false, content }: { isSidechain?: boolean; content: unknown }
) =>
  JSON.stringify({
    parentUuid: null,
    isSidechain,
    cwd: '/home/ada/my-boat',
    sessionId: 's1',
    type,
    uuid,
    timestamp: '2026-01-05T10:00:00.000Z',
    message: { role: type, content }
  })

const SESSION = [
  JSON.stringify({ type: 'summary', summary: 'Boat', leafUuid: 'x' }),
  line('1', 'user', { content: 'Fix the leak in the pump driver.' }),
  line('2', 'assistant', { content: [{ type: 'thinking', thinking: 'hm' }] }),
  line('3', 'assistant', { content: [{ type: 'text', text: 'The valve order was wrong, I swapped it.' }] }),
  line('4', 'assistant', { content: [{ type: 'tool_use', name: 'Edit', input: {} }] }),
  line('5', 'user', { content: [{ type: 'tool_result', content: 'ok' }] }),
  line('6', 'user', { content: '<command-name>/clear</command-name>' }),
  line('7', 'user', { content: 'a subagent', isSidechain: true }),
  '{broken'
].join('\n')

const FILES = {
  '-home-ada-my-boat/s1.jsonl': SESSION,
  '-home-ada-other/s2.jsonl': line('1', 'user', { content: 'Fix the leak in the pump driver.' })
}

testFormat('claude_code', { files: FILES, phrases: ['Fix the leak in the pump driver', 'The valve order was wrong'] })

test('takes only words of the user and of Claude, each line once, with the folder of the session', async () => {
  const { items, report } = await convertTree(findFormat('claude_code'), treeOf(FILES))
  expect(linesOf(items)).toMatchObject([
    {
      raw_text: 'Fix the leak in the pump driver.',
      speaker: 'user',
      conversation: 'claude_code:s1',
      position: 2,
      metadata: { cwd: '/home/ada/my-boat' }
    },
    { raw_text: 'The valve order was wrong, I swapped it.', speaker: 'Claude' }
  ])
  expect(report.kinds.message).toEqual({ seen: 10, taken: 2, merged: 1, left_out: 7 })
})
