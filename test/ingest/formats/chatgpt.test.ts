import { expect, test } from 'vitest'
import { findFormat } from '../../../src/ingest/detect-format.ts'
import { testFormat } from '../format-suite.ts'
import { convertTree, type InputFiles, linesOf, treeOf } from '../ingest-kit.ts'

type Message = { role?: string; parts?: unknown[]; type?: string; at?: number | null; more?: object }

const node = (id: string, parent: string | null, message?: Message) => ({
  id,
  parent,
  children: [],
  message:
    message === undefined
      ? null
      : {
          id: `m-${id}`,
          author: { role: message.role ?? 'user' },
          create_time: message.at === undefined ? 1_760_000_000.5 : message.at,
          content: { content_type: message.type ?? 'text', parts: message.parts ?? [] },
          ...message.more
        }
})

const chat = (nodes: ReturnType<typeof node>[], current: string | null, id = 'c1') => ({
  title: 'The boat',
  create_time: 1_759_000_000.25,
  conversation_id: id,
  current_node: current,
  mapping: Object.fromEntries(nodes.map((one) => [one.id, one]))
})

const SAMPLE = chat(
  [
    node('root', null),
    node('system', 'root', { role: 'system', parts: ['You are a helper.'] }),
    node('a', 'system', { parts: ['Which paint suits a wooden boat?'] }),
    node('old', 'a', { role: 'assistant', parts: ['An answer that was regenerated.'] }),
    node('call', 'a', { role: 'assistant', parts: ['search("paint")'], more: { recipient: 'web' } }),
    node('result', 'call', { role: 'tool', parts: ['ten results'] }),
    node('think', 'result', { role: 'assistant', type: 'thoughts' }),
    node('b', 'think', { role: 'assistant', parts: ['Use two coats of marine enamel.'], at: null }),
    node('c', 'b', {
      type: 'multimodal_text',
      parts: [{ content_type: 'image_asset_pointer', asset_pointer: 'x' }, 'Here is my hull, what about rust?']
    }),
    node('odd', 'c', { role: 'assistant', type: 'hologram', parts: ['?'] }),
    node('empty', 'odd', { parts: [''] })
  ],
  'empty'
)

const FILES = {
  'conversations.json': JSON.stringify([
    SAMPLE,
    chat([node('x', null, { parts: ['Rename my file {"a": "}"}.'] })], 'x', 'c2')
  ]),
  'user.json': '{"id": "u"}',
  'chat.html': '<html></html>',
  'file-1.png': 'x'
}

testFormat('chatgpt', {
  files: FILES,
  phrases: ['Which paint suits a wooden boat', 'Use two coats of marine enamel', 'what about rust', 'Rename my file'],
  options: { me: 'Ada' }
})

const convert = (files: InputFiles, me?: string) =>
  convertTree(findFormat('chatgpt'), treeOf({ ...files, 'user.json': '{}' }), me === undefined ? {} : { me })

test('takes the messages of the shown branch with speaker, time and place in the conversation', async () => {
  const { items } = await convert(FILES, 'Ada')
  expect(linesOf(items).slice(0, 3)).toMatchObject([
    {
      raw_text: 'Which paint suits a wooden boat?',
      speaker: 'Ada',
      at: '2025-10-09T08:53:20.500Z',
      conversation: 'chatgpt:c1',
      position: 2,
      metadata: {
        source: { format: 'chatgpt', id: 'm-a', path: 'conversations.json' },
        title: 'The boat',
        url: 'https://chatgpt.com/c/c1'
      }
    },
    { raw_text: 'Use two coats of marine enamel.', speaker: 'ChatGPT', at: '2025-10-09T08:53:20.500Z' },
    { raw_text: 'Here is my hull, what about rust?', speaker: 'Ada' }
  ])
})

test('names the reason for each message and part that is left out', async () => {
  const { report } = await convert(FILES)
  const reasons = report.losses.map(({ kind, reason, count }) => `${count} ${kind} ${reason}`)
  expect(reasons.sort()).toEqual([
    '1 attachment image',
    '1 file image',
    '1 file settings',
    '1 message empty',
    '1 message other_branch',
    '1 message system',
    '1 message thinking',
    '1 message tool_call',
    '1 message tool_result',
    '1 message unknown_content'
  ])
})

test('takes a message once that two files contain', async () => {
  const text = FILES['conversations.json']
  const { report } = await convert({ 'conversations-1.json': text, 'conversations-2.json': text })
  expect(report.kinds.message).toMatchObject({ taken: 4 })
  expect(report.merged).toBeGreaterThan(4)
})

test('ends at a cycle and at a missing node', async () => {
  const cyclic = chat([node('a', 'b', { parts: ['first'] }), node('b', 'a', { parts: ['second'] })], 'a')
  const broken = chat([node('a', 'gone', { parts: ['third'] })], 'nowhere', 'c2')
  const { items } = await convert({ 'conversations.json': JSON.stringify([cyclic, broken]) })
  expect(linesOf(items).map(({ raw_text }) => raw_text)).toEqual(['second', 'first', 'third'])
})

test('keeps the complete conversations of a file that is cut off', async () => {
  const text = FILES['conversations.json']
  const { report } = await convert({ 'conversations.json': text.slice(0, -40) })
  expect(report.kinds.conversation).toMatchObject({ left_out: 1 })
  expect(report.taken).toBe(3)
})
