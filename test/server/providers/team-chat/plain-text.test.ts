import fc from 'fast-check'
import { expect, test } from 'vitest'
import { blockText, findMentionsInBlocks } from '../../../../src/documents/slack/slack-blocks.ts'
import { findMentions, toPlainText } from '../../../../src/documents/slack/to-plain-text.ts'
import { cpuMs } from '../../../setup/cpu-time.ts'

const NAMES = new Map([
  ['U1', 'Ada'],
  ['C1', 'general']
])

const TEXTS: readonly (readonly [marked: string, plain: string])[] = [
  ['plain', 'plain'],
  ['<@U1> hello', '@Ada hello'],
  ['<@U1|old name>', '@Ada'],
  ['<@U2|bob>', '@bob'],
  ['<@U2>', '@U2'],
  ['<#C1>', '#general'],
  ['<#C2|random>', '#random'],
  ['<#C2|>', '#C2'],
  ['<!here> <!channel> <!everyone>', '@here @channel @everyone'],
  ['<!here|here>', '@here'],
  ['<!subteam^S1|@designers>', '@designers'],
  ['<!subteam^S1>', '@group'],
  ['<!date^1392734382^{date} at {time}|18 February 2014>', '18 February 2014'],
  ['<!date^1392734382^{date}^https://example.org|then>', 'then'],
  ['<https://example.org/a?b=1&amp;c=2>', 'https://example.org/a?b=1&c=2'],
  ['<https://example.org|our page>', 'our page (https://example.org)'],
  ['<http://example.org|example.org>', 'http://example.org'],
  ['<mailto:ada@example.org|ada@example.org>', 'ada@example.org'],
  ['<mailto:ada@example.org|write me>', 'write me (ada@example.org)'],
  ['<tel:+4930123|+4930123>', '+4930123'],
  ['a &lt;b&gt; &amp; c', 'a <b> & c'],
  ['&amp;lt;', '&lt;'],
  ['&lt;@U1&gt;', '<@U1>'],
  ['&nbsp; &#60;', '&nbsp; &#60;'],
  ['*bold* _it_ `code` ~no~', '*bold* _it_ `code` ~no~'],
  ['<> <', '<> <'],
  ['1 < 2', '1 < 2']
]

test('converts mentions, channels, groups, dates and links to plain text', () => {
  for (const [marked, plain] of TEXTS) expect(toPlainText(marked, NAMES), marked).toBe(plain)
})

test('restores any escaped text', () => {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => toPlainText(escaped(text), NAMES) === text))
})

test('handles long texts full of open marks without delay', async () => {
  const ms = await cpuMs(() => {
    for (const sign of ['<', '<@', '&', '<@U1|', '<<>']) toPlainText(sign.repeat(500_000), NAMES)
  })
  expect(ms).toBeLessThan(20_000)
})

test('finds mentioned people', () => {
  expect(findMentions('<@U1> and <@W22|x> but not <@lower> or &lt;@U9&gt;')).toEqual(['U1', 'W22'])
})

const RICH = {
  type: 'rich_text',
  elements: [
    {
      type: 'rich_text_section',
      elements: [
        { type: 'text', text: 'Ask ' },
        { type: 'user', user_id: 'U1' },
        { type: 'text', text: ' in ' },
        { type: 'channel', channel_id: 'C1' },
        { type: 'emoji', name: 'wave' },
        { type: 'link', url: 'https://example.org', text: 'here' },
        { type: 'broadcast', range: 'here' },
        { type: 'constructor', text: '.' }
      ]
    },
    {
      type: 'rich_text_list',
      elements: [
        { type: 'rich_text_section', elements: [{ type: 'text', text: 'one' }] },
        { type: 'rich_text_section', elements: [{ type: 'text', text: 'two' }] }
      ]
    }
  ]
}

test('reads blocks if a message has no text', () => {
  const blocks = [
    { type: 'header', text: { type: 'plain_text', text: 'Plan &amp; more' } },
    {
      type: 'section',
      text: { type: 'mrkdwn', text: '<@U1> &amp; co' },
      fields: [{ type: 'mrkdwn', text: 'a field' }]
    },
    { type: 'divider' },
    RICH,
    {
      type: 'context',
      elements: [
        { type: 'mrkdwn', text: 'small' },
        { type: 'image', image_url: 'https://x' }
      ]
    },
    { type: 'unheard_of' },
    null,
    7
  ]
  expect(blockText(blocks, NAMES).split('\n')).toEqual([
    'Plan &amp; more',
    '@Ada & co',
    'a field',
    'Ask @Ada in #general:wave:here (https://example.org)@here.',
    'one',
    'two',
    'small'
  ])
  expect(findMentionsInBlocks([RICH])).toEqual(['U1'])
  expect(findMentionsInBlocks([{ type: 'section', text: { type: 'mrkdwn', text: '<@U7> and <@U8>' } }])).toEqual([
    'U7',
    'U8'
  ])
})

test('reads the title and text of an attachment, or else its fallback', () => {
  const attachments = [{ title: 'Ticket 7', text: 'It leaks.', fallback: 'no' }, { fallback: 'A page' }, { id: 3 }]
  expect(blockText(attachments, NAMES)).toBe('Ticket 7\nIt leaks.\nA page')
})

test('converts blocks of any form, depth and number to text', () => {
  let deep: unknown = { type: 'section', text: 'bottom' }
  for (let level = 0; level < 5000; level++) deep = { type: 'section', elements: [deep] }
  expect(blockText([deep], NAMES)).toBe('')
  expect(findMentionsInBlocks([deep])).toEqual([])
  expect(
    blockText(
      Array.from({ length: 50_000 }, () => ({ text: 'x' })),
      NAMES
    ).length
  ).toBeLessThan(5000)
  fc.assert(fc.property(fc.array(fc.anything()), (blocks) => typeof blockText(blocks, NAMES) === 'string'))
})
