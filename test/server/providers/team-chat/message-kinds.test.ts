import { expect, test } from 'vitest'
import { toMessageItem } from '../../../../server/providers/team-chat/message-item.ts'
import type { Message } from '../../../../server/providers/team-chat/wire.ts'

const WHERE = { channel: 'C1', channelName: 'general', teamUrl: 'https://team.slack.com/' }
const NAMES = new Map([['U1', 'Ada']])

/** The result of an item: `taken`, `deleted`, or the reason why it is skipped. */
function settle(message: Partial<Message>): string {
  const item = toMessageItem({ ts: '1768300000.000100', ...message }, WHERE, NAMES)
  if (item === undefined) return 'deleted'
  return item.content === undefined ? (item.skipped ?? '') : 'taken'
}

const event = (subtype: string): string => `an event of the channel: ${subtype}`

/**
 * The subtypes of https://docs.slack.dev/reference/events/message#subtypes, of Slack's published description and of
 * exports, with the result for a message that has a text.
 */
const SUBTYPES: Readonly<Record<string, string>> = {
  '': 'taken',
  assistant_app_thread: 'taken',
  bot_message: 'taken',
  file_comment: 'taken',
  file_mention: 'taken',
  file_share: 'taken',
  me_message: 'taken',
  reply_broadcast: 'taken',
  slackbot_response: 'taken',
  thread_broadcast: 'taken',
  not_documented_yet: 'taken',
  tombstone: 'deleted',
  message_deleted: 'deleted',
  ekm_access_denied: 'its text is locked by a key of the workspace',
  ...Object.fromEntries(
    [
      'bot_add',
      'bot_remove',
      'channel_archive',
      'channel_convert_to_private',
      'channel_join',
      'channel_leave',
      'channel_name',
      'channel_posting_permissions',
      'channel_purpose',
      'channel_topic',
      'channel_unarchive',
      'document_mention',
      'group_archive',
      'group_join',
      'group_leave',
      'group_name',
      'group_purpose',
      'group_topic',
      'group_unarchive',
      'huddle_thread',
      'message_changed',
      'message_replied',
      'pinned_item',
      'reminder_add',
      'sh_room_created',
      'unpinned_item'
    ].map((subtype) => [subtype, event(subtype)])
  )
}

test.for(Object.entries(SUBTYPES))('settles a message of subtype %j', ([subtype, result]) => {
  expect(settle({ subtype, user: 'U1', text: 'Skarven is fitted.' })).toBe(result)
})

const BEGUN = 'only the beginning of its files is read, because Slack includes no more with the message'
const WITHOUT_TEXT = 'only the names of its files are read, because Slack does not include their text with the message'

/** Kinds of files (https://docs.slack.dev/reference/objects/file-object) with their text and why it is incomplete. */
const FILES: readonly (readonly [file: { name: string; [member: string]: unknown }, text: string, cut?: string])[] = [
  [{ name: 'a.txt', mode: 'snippet', mimetype: 'text/plain', preview: 'one\ntwo', lines_more: 0 }, 'a.txt\none\ntwo'],
  [{ name: 'b.txt', mode: 'snippet', mimetype: 'text/plain', preview: 'one', lines_more: 9 }, 'b.txt\none', BEGUN],
  [{ name: 'c.csv', mimetype: 'text/csv', preview: 'x,y', preview_is_truncated: true }, 'c.csv\nx,y', BEGUN],
  [
    { name: 'Plan', mode: 'space', plain_text: 'All of it.', preview: 'All', preview_is_truncated: true },
    'Plan\nAll of it.'
  ],
  [
    {
      name: 'Berths',
      mode: 'email',
      from: [{ address: 'ada@x.example', name: 'Ada', original: 'Ada <ada@x.example>' }],
      to: [{ address: 'port@x.example' }, { address: 'ben@x.example' }],
      cc: [],
      plain_text: 'Seven is free.'
    },
    'Berths\nFrom: Ada <ada@x.example>\nTo: port@x.example, ben@x.example\nSeven is free.'
  ],
  [
    { name: 'talk.m4a', mimetype: 'audio/mp4', transcription: { preview: { content: 'Hello', has_more: true } } },
    'talk.m4a\nHello',
    BEGUN
  ],
  [{ name: 'boat.png', mimetype: 'image/png', alt_txt: 'a boat' }, 'boat.png\na boat'],
  [{ name: 'clip.mp4', mimetype: 'video/mp4' }, 'clip.mp4'],
  [{ name: 'plan.pdf', mimetype: 'application/pdf' }, 'plan.pdf', WITHOUT_TEXT],
  [{ name: 'gone.pdf', mode: 'tombstone' }, 'gone.pdf']
]

test.for(FILES)('reads the file $0.name beside a text, and gives a reason for what is missing', ([file, text, cut]) => {
  const item = toMessageItem({ ts: '1768300000.000100', user: 'U1', text: 'Beside.', files: [file] }, WHERE, NAMES)
  expect(item?.content?.parts.map((part) => part.text)).toEqual([`Beside.\n${text}`])
  expect(item?.content?.cut).toBe(cut)
})

test('joins the reasons of several files', () => {
  const files = [{ name: 'a', preview: 'x', lines_more: 1 }, { name: 'b' }, { name: 'c' }]
  const item = toMessageItem({ ts: '1768300000.000100', user: 'U1', text: 'Beside.', files }, WHERE, NAMES)
  expect(item?.content?.cut).toBe(`${BEGUN}; ${WITHOUT_TEXT}`)
})

test('takes the messages of people, apps and Slackbot, and gives a reason for any other', () => {
  expect(settle({ user: 'U1', text: 'x' })).toBe('taken')
  expect(settle({ bot_id: 'B1', text: 'x' })).toBe('taken')
  expect(settle({ user: 'U1', bot_id: 'B1', text: 'x' })).toBe('taken')
  expect(settle({ user: 'USLACKBOT', text: 'x' })).toBe('taken')
  expect(settle({ text: 'x' })).toBe('taken')
  expect(settle({ user: 'U1', text: ' ' })).toBe('the message has no text')
  expect(settle({ user: 'U1', text: '', files: [{ mimetype: 'application/pdf' }] })).toBe(
    `the message has no text, and ${WITHOUT_TEXT}`
  )
  expect(settle({ user: 'U1', text: 'x', hidden: true })).toBe('Slack hides the message')
})

const plain = (text: string) => ({ type: 'plain_text', text })
const cell = (text: string) => ({ type: 'raw_text', text })
const rich = (...elements: object[]) => ({ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] })

/**
 * The block types of https://docs.slack.dev/reference/block-kit/blocks, each with an example and its text. A divider
 * and a remote file (which is in the files of the message) have none.
 */
const BLOCKS: readonly (readonly [block: { type: string; [member: string]: unknown }, text: string])[] = [
  [{ type: 'actions', elements: [{ type: 'button', text: plain('Approve'), value: 'v' }] }, 'Approve'],
  [{ type: 'alert', text: plain('Low battery'), level: 'warning' }, 'Low battery'],
  [
    {
      type: 'card',
      title: cell('Buoy 7'),
      subtitle: cell('North'),
      body: cell('Drifts'),
      icon: { alt_text: 'a buoy' }
    },
    'Buoy 7\nNorth\nDrifts\na buoy'
  ],
  [{ type: 'carousel', elements: [{ type: 'card', title: cell('One') }] }, 'One'],
  [
    {
      type: 'container',
      title: plain('Report'),
      subtitle: plain('May'),
      child_blocks: [{ type: 'header', text: plain('Fuel') }]
    },
    'Report\nMay\nFuel'
  ],
  [{ type: 'context', elements: [{ type: 'image', alt_text: 'a chart' }, plain('small')] }, 'a chart\nsmall'],
  [
    {
      type: 'context_actions',
      elements: [
        { type: 'feedback_buttons', positive_button: { text: plain('Good') }, negative_button: { text: plain('Bad') } }
      ]
    },
    'Good\nBad'
  ],
  [
    { type: 'data_table', caption: 'Units', rows: [[cell('Unit')], [{ type: 'raw_number', value: 7, text: '7' }]] },
    'Units\n| Unit |\n| --- |\n| 7 |'
  ],
  [{ type: 'divider' }, ''],
  [{ type: 'file', source: 'remote', external_id: 'x' }, ''],
  [{ type: 'header', text: plain('Plan') }, 'Plan'],
  [{ type: 'image', title: plain('Chart'), alt_text: 'a chart of the bay' }, 'Chart\na chart of the bay'],
  [
    { type: 'input', label: plain('Name'), hint: plain('As written'), element: { type: 'plain_text_input' } },
    'Name\nAs written'
  ],
  [{ type: 'markdown', text: '**Tide** at nine' }, '**Tide** at nine'],
  [
    {
      type: 'plan',
      title: 'Refit',
      tasks: [{ type: 'task_card', title: 'Mast', output: rich({ type: 'text', text: 'done' }) }]
    },
    'Refit\nMast\ndone'
  ],
  [
    rich({ type: 'text', text: 'at ' }, { type: 'user', user_id: 'U1' }, { type: 'color', value: '#0B6E99' }),
    'at @Ada#0B6E99'
  ],
  [
    {
      type: 'section',
      text: plain('Fleet'),
      fields: [plain('Two ferries')],
      accessory: { type: 'button', text: plain('Open') }
    },
    'Fleet\nTwo ferries\nOpen'
  ],
  [
    {
      type: 'table',
      rows: [
        [cell('Unit'), cell('Size')],
        [rich({ type: 'text', text: 'a|b' }), cell('4')]
      ]
    },
    '| Unit | Size |\n| --- | --- |\n| a\\|b | 4 |'
  ],
  [
    {
      type: 'task_card',
      title: 'Find berth',
      details: rich({ type: 'text', text: 'berth seven' }),
      sources: [{ type: 'url', url: 'https://example.org', text: 'Harbour office' }]
    },
    'Find berth\nberth seven\nHarbour office'
  ],
  [
    {
      type: 'video',
      title: plain('Launch'),
      description: plain('Off Warnow'),
      alt_text: 'a video',
      author_name: 'Ada'
    },
    'Ada\nLaunch\nOff Warnow\na video'
  ]
]

test.for(BLOCKS)('reads a block beside the text: $0.type', ([block, text]) => {
  const item = toMessageItem({ ts: '1768300000.000100', user: 'U1', text: 'Beside.', blocks: [block] }, WHERE, NAMES)
  expect(item?.content?.parts[0]?.text).toBe(text === '' ? 'Beside.' : `Beside.\n${text}`)
})

test('does not repeat the rich text from which Slack derives the text of a message', () => {
  const text = 'See <https://example.org|the page>, <#C2|lisbon> and <!subteam^S1|@crew> *now* :wave:'
  const blocks = [
    rich(
      { type: 'text', text: 'See ' },
      { type: 'link', url: 'https://example.org', text: 'the page' },
      { type: 'text', text: ', ' },
      { type: 'channel', channel_id: 'C2' },
      { type: 'text', text: ' and ' },
      { type: 'usergroup', usergroup_id: 'S1' },
      { type: 'text', text: ' ' },
      { type: 'text', text: 'now', style: { bold: true } },
      { type: 'text', text: ' ' },
      { type: 'emoji', name: 'wave' }
    )
  ]
  const item = toMessageItem({ ts: '1768300000.000100', user: 'U1', text, blocks }, WHERE, NAMES)
  expect(item?.content?.parts[0]?.text).toBe('See the page (https://example.org), #lisbon and @crew *now* :wave:')
})
