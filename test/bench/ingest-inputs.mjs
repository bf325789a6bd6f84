import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { randomNumbers } from '../setup/random-numbers.mjs'

/** Creates a function that returns a text of about `units` characters: golden sentences, each with a unique number. */
function textMaker(seed) {
  const golden = readFileSync(new URL('../memory/golden/sentences.txt', import.meta.url), 'utf8')
  const sentences = golden
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('== '))
    .map((line) => line.replace(/^Ada: /, '').replaceAll('\\n', ' '))
  const random = randomNumbers(seed)
  let count = 0
  return (units) => {
    const texts = []
    for (let left = units; left > 0; ) {
      const text = `${sentences[Math.floor(random() * sentences.length)]} (${++count})`
      texts.push(text)
      left -= text.length + 1
    }
    return texts
  }
}

/** Writes Markdown notes with front matter, links and headings into a folder, and returns their paths. */
export function writeNotes(folder, { count, bytes }) {
  const makeText = textMaker(1)
  return Array.from({ length: count }, (_, n) => {
    const path = join(folder, `area ${n % 20}`, `note ${n}.md`)
    const day = new Date(Date.UTC(2020, 0, 1 + (n % 2000))).toISOString().slice(0, 10)
    const sections = [1, 2, 3].map(
      (section) => `## Part ${section}\n\n${makeText(bytes / count / 3 - 40).join('\n')}\n`
    )
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(
      path,
      `---\ndate: ${day}\ntags: [bench]\n---\n# Note ${n}\n\nSee [[note ${(n * 7) % count}]].\n\n${sections.join('\n')}`
    )
    return path
  })
}

/** Writes a file piece by piece until it has `bytes` bytes. */
function writeUntil(path, bytes, { open = '', close = '', make }) {
  const fd = openSync(path, 'w')
  let size = writeSync(fd, open)
  for (let n = 0; size < bytes; n++) size += writeSync(fd, make(n))
  writeSync(fd, close)
  closeSync(fd)
}

/** Writes `conversations.json` of a ChatGPT export: conversations of 24 messages with the members that ChatGPT has. */
export function writeChatGptExport(path, bytes) {
  const makeText = textMaker(2)
  writeUntil(path, bytes, {
    open: '[',
    close: ']',
    make: (n) => `${n > 0 ? ',' : ''}${JSON.stringify(makeConversation(n, makeText))}`
  })
}

function makeConversation(n, makeText) {
  const start = 1_600_000_000 + n * 3600
  const ids = Array.from({ length: 24 }, (_, turn) => `node-${n}-${turn}`)
  const mapping = Object.fromEntries(
    ids.map((id, turn) => {
      const role = turn % 2 === 0 ? 'user' : 'assistant'
      const message = {
        id,
        author: { role, name: null, metadata: {} },
        create_time: start + turn * 30,
        update_time: null,
        content: { content_type: 'text', parts: [makeText(role === 'user' ? 120 : 1200).join(' ')] },
        status: 'finished_successfully',
        end_turn: true,
        weight: 1,
        metadata: { request_id: `${id}-request`, message_type: 'next', model_slug: 'model', parent_id: ids[turn - 1] },
        recipient: 'all',
        channel: null
      }
      return [id, { id, message, parent: ids[turn - 1] ?? null, children: ids.slice(turn + 1, turn + 2) }]
    })
  )
  return {
    title: `Conversation ${n}`,
    create_time: start,
    update_time: start + 720,
    mapping,
    moderation_results: [],
    current_node: ids.at(-1),
    conversation_id: `conversation-${n}`
  }
}

/** Writes an mbox as Google Takeout does. Of ten mails, one has an attachment of about 2 MB, as in real mailboxes. */
export function writeMbox(path, bytes) {
  const makeText = textMaker(3)
  const random = randomNumbers(4)
  const attachment = Array.from({ length: 26_000 }, () => encodeLine(random)).join('\n')
  writeUntil(path, bytes, { make: (n) => makeMail(n, makeText, attachment) })
}

/** Returns 57 bytes as base64. */
function encodeLine(random) {
  return Buffer.from(Array.from({ length: 57 }, () => Math.floor(random() * 256))).toString('base64')
}

function makeMail(n, makeText, attachment) {
  const at = new Date(1_600_000_000_000 + n * 600_000)
  const [, day, month] = /^\w+, (\d+) (\w+)/.exec(at.toUTCString()) ?? []
  const time = at.toISOString().slice(11, 19)
  const text = makeText(1500).join('\n')
  const head = `From ${n}@xxx Tue ${month} ${day} ${time} +0000 ${at.getUTCFullYear()}
X-GM-THRID: ${BigInt(1_700_000_000_000_000_000) + BigInt(Math.floor(n / 3))}
X-Gmail-Labels: Inbox
Message-ID: <${n}@mail.example>
Date: ${at.toUTCString().replace('GMT', '+0000')}
From: Person ${n % 50} <person${n % 50}@mail.example>
To: Anna <anna@mail.example>
Subject: Subject ${Math.floor(n / 3)}
MIME-Version: 1.0
`
  if (n % 10 > 0) return `${head}Content-Type: text/plain; charset="UTF-8"\n\n${text}\n\n`
  const part = (type, body) => `--cut\n${type}\n\n${body}\n`
  return [
    `${head}Content-Type: multipart/mixed; boundary="cut"\n\n`,
    part('Content-Type: text/plain; charset="UTF-8"', text),
    part(
      `Content-Type: image/jpeg; name="photo ${n}.jpg"\nContent-Disposition: attachment; filename="photo ${n}.jpg"\nContent-Transfer-Encoding: base64`,
      attachment
    ),
    '--cut--\n\n'
  ].join('')
}
