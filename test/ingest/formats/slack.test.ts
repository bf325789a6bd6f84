import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findFormat } from '../../../src/ingest/detect-format.ts'
import { testFormat } from '../format-suite.ts'
import { batchOf, convertTree, linesOf, treeOf } from '../ingest-kit.ts'

const say = (ts: string, user: string, more: object): object => ({ type: 'message', ts, user, ...more })

const DAY = [
  say('1768300000.000100', 'U1', {
    text: 'We sail to <#C2|lisbon> with <@U2> on Friday &amp; Saturday.',
    thread_ts: '1768300000.000100',
    reply_count: 1
  }),
  say('1768300060.000100', 'U9', { text: 'The tide is at nine.', thread_ts: '1768300000.000100' }),
  say('1768300100.000100', 'U2', { text: '<@U2> has joined the channel', subtype: 'channel_join' }),
  say('1768300110.000100', 'U2', {
    text: '',
    blocks: [
      {
        type: 'rich_text',
        elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'Bring the red rope.' }] }]
      }
    ]
  }),
  {
    type: 'message',
    subtype: 'bot_message',
    ts: '1768300120.000100',
    bot_id: 'B1',
    username: 'Harbour bot',
    text: '',
    attachments: [{ pretext: 'Berth report', text: 'Berth seven is free.', fallback: 'x' }]
  },
  say('1768300130.000100', 'U1', { text: '', files: [{ name: 'chart.png', mode: 'hosted' }] }),
  { type: 'message', subtype: 'tombstone', ts: '1768300140.000100', text: 'This message was deleted.' },
  { type: 'message', text: 'no time' }
]

const EXPORT = {
  'users.json': JSON.stringify([
    { id: 'U1', name: 'ann', profile: { display_name: 'Ann Lee', real_name: 'Ann' } },
    { id: 'U2', name: 'ben', real_name: 'Ben Okafor', profile: { display_name: '' } }
  ]),
  'channels.json': JSON.stringify([{ id: 'C1', name: 'harbour', members: ['U1'] }]),
  'integration_logs.json': '[]',
  'harbour/2026-01-13.json': JSON.stringify(DAY),
  'D7/2026-01-14.json': JSON.stringify([say('1768400000.000100', 'U1', { text: 'Lunch at the lighthouse?' })])
}

testFormat('slack', {
  files: EXPORT,
  phrases: ['The tide is at nine', 'Bring the red rope', 'Berth seven is free', 'Lunch at the lighthouse']
})

async function convert() {
  const { items, report } = await convertTree(findFormat('slack'), treeOf(EXPORT))
  return { lines: linesOf(items), report }
}

test('gives messages the names of people, their threads, and the conversation ids of the connector', async () => {
  const { lines } = await convert()
  expect(lines).toContainEqual(
    expect.objectContaining({
      raw_text: 'We sail to #lisbon with @Ben Okafor on Friday & Saturday.',
      speaker: 'Ann Lee',
      at: '2026-01-13T10:26:40.000Z',
      conversation: 'team_chat:C1/1768300000.000100',
      position: 0
    })
  )
  expect(lines).toContainEqual(
    expect.objectContaining({ speaker: 'U9', conversation: 'team_chat:C1/1768300000.000100', position: 60_000_000 })
  )
  expect(lines).toContainEqual(expect.objectContaining({ conversation: 'team_chat:D7/2026-01-14' }))
})

test('takes the words of programs from their attachments, and those of people from blocks', async () => {
  const { lines } = await convert()
  expect(lines).toContainEqual(
    expect.objectContaining({ raw_text: 'Berth report\nBerth seven is free.', speaker: 'Harbour bot' })
  )
  expect(lines).toContainEqual(expect.objectContaining({ raw_text: 'Bring the red rope.', speaker: 'Ben Okafor' }))
})

test('names the reason for every message that is left out', async () => {
  const { report } = await convert()
  expect(report.kinds.message).toEqual({ seen: 9, taken: 6, merged: 0, left_out: 3 })
  const reasons = report.losses.map(({ kind, reason, count }) => `${count} ${kind}: ${reason}`)
  expect(reasons).toEqual([
    '3 file: settings',
    '1 attachment: attachment',
    '1 message: deleted',
    '1 message: malformed',
    '1 message: system'
  ])
})

const FIXTURE = '../shared/fixtures/ingest/slack-export-viewer/testarchive.zip'

test('accounts for every message of a public export', async ({ skip }) => {
  skip(!existsSync(FIXTURE), 'the public fixtures are not installed')
  const { report } = await batchOf(FIXTURE)
  expect(report.format).toBe('slack')
  expect(report.kinds.message).toEqual({ seen: 158, taken: 147, merged: 0, left_out: 11 })
})
