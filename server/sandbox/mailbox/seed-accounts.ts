import { Buffer } from 'node:buffer'
import { readSeed } from '../core/read-seed.ts'
import type { SandboxAccount, Seed } from '../core/sandbox-provider.ts'
import { changeLabels, createMailbox, deliver, type MailboxContent } from './content.ts'
import { compose } from './mime.ts'

import seedFile from './seed.json' with { type: 'json' }

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Creates three accounts with the mail of several months. */
export function seedAccounts(seed: Seed): SandboxAccount[] {
  const { mailboxes, ...tables } = readSeed<SeedFile>(seedFile)
  return mailboxes.map(({ series, ...more }) => {
    const story = { ...more, series: series.map((one) => createSeries(one, tables)) }
    const { name, email } = story
    return { id: email.toLowerCase(), name, email, content: fillMailbox(story, seed) }
  })
}

/** `seed.json`: mailboxes, whose series are created from the tables beside them. */
type SeedFile = SeedTables & {
  mailboxes: readonly (Omit<SeedMailbox, 'series'> & { series: readonly SeriesChoice[] })[]
}

type Arrival = { at: number; raw: Uint8Array; labels: readonly string[] }

/** Delivers all mail in order of time, so that the history has the same order. */
function fillMailbox(story: SeedMailbox, seed: Seed): MailboxContent {
  const content = createMailbox()
  content.labels.set('Label_1', 'Follow up').set('Label_2', 'Robots')
  const arrivals = [
    ...story.threads.flatMap((thread, at) => threadMails(story, thread, { now: seed.now, at })),
    ...seriesMails(story, seed.now),
    ...(story.raw ?? []).map(({ daysAgo, raw }) => ({
      at: seed.now - daysAgo * DAY_MS,
      raw: Buffer.from(raw, /[^\0-\xff]/.test(raw) ? 'utf8' : 'latin1'),
      labels: ['INBOX', 'UNREAD']
    })),
    ...leftovers(story, seed.now)
  ].sort((a, b) => a.at - b.at)
  for (const { raw, at, labels } of arrivals) deliver(content, { raw, at, labels }, () => seed.random())
  throwAwayOne(content)
  return content
}

function threadMails(story: SeedMailbox, thread: SeedThread, { now, at }: { now: number; at: number }): Arrival[] {
  const me = `${story.name} <${story.email}>`
  const host = story.email.replace(/.*@/, '')
  const others = [...new Set(thread.mails.flatMap(({ from, cc = [] }) => [from, ...cc]))].filter(
    (one) => one !== undefined
  )
  let time = now - thread.daysAgo * DAY_MS + (at % 7) * HOUR_MS
  return thread.mails.map((mail, place) => {
    time = Math.min(time + (mail.hours ?? 0) * HOUR_MS, now - (thread.mails.length - place) * 60_000)
    const references = thread.mails.slice(0, place).map((_, before) => `<${story.id}.${at}.${before}@${host}>`)
    const raw = compose({
      from: mail.from ?? me,
      to: mail.from === undefined ? others.slice(0, 1) : [me],
      ...(mail.cc && { cc: mail.cc }),
      subject: place === 0 ? thread.subject : `Re: ${thread.subject}`,
      at: time,
      messageId: `<${story.id}.${at}.${place}@${host}>`,
      references,
      ...composeTexts(mail, thread.mails[place - 1], { me, at: time }),
      ...(mail.files && { files: mail.files.map(({ text, ...file }) => ({ ...file, bytes: Buffer.from(text) })) })
    })
    const own = mail.from === undefined ? ['SENT'] : ['INBOX']
    return { at: time, raw, labels: [...own, ...(thread.labels ?? [])] }
  })
}

/** Composes the texts of a reply, with the quoted message below, as mail programs do. */
function composeTexts(
  { text, html, quotes }: SeedMail,
  before: SeedMail | undefined,
  { me, at }: { me: string; at: number }
): { text?: string; html?: string } {
  if (!quotes || before === undefined)
    return { ...(text !== undefined && { text }), ...(html !== undefined && { html }) }
  const day = new Date(at - DAY_MS).toUTCString().slice(0, 16)
  const quoted = (before.text ?? before.html?.replace(/<[^>]*>/g, ' ') ?? '').split('\n').map((line) => `> ${line}`)
  return { text: `${text}\n\nOn ${day} at 10:12, ${before.from ?? me} wrote:\n${quoted.join('\n')}` }
}

function seriesMails({ series, name, email }: SeedMailbox, now: number): Arrival[] {
  return series.flatMap(({ from, everyDays, labels, headers, issues }, which) =>
    issues.map(({ subject, text, html }, place) => {
      const at = now - (issues.length - place) * everyDays * DAY_MS + which * 5 * HOUR_MS
      const raw = compose({
        from,
        to: [`${name} <${email}>`],
        subject,
        at,
        messageId: `<series.${which}.${place}@${from.replace(/.*@|>/g, '')}>`,
        ...(headers && { headers }),
        ...(text !== undefined && { text }),
        ...(html !== undefined && { html })
      })
      return { at, raw, labels }
    })
  )
}

/** Creates messages that must not be synced: a draft, spam and a chat message. */
function leftovers({ name, email }: SeedMailbox, now: number): Arrival[] {
  const me = `${name} <${email}>`
  const one = (daysAgo: number, label: string, mail: { from: string; subject: string; text: string }): Arrival => {
    const at = now - daysAgo * DAY_MS
    const raw = compose({ ...mail, to: [me], at, messageId: `<${label.toLowerCase()}.${daysAgo}@mail.example>` })
    return { at, raw, labels: [label] }
  }
  return [
    one(20, 'SPAM', {
      from: 'Prize Office <win@prize.example>',
      subject: 'You have WON',
      text: 'Send 100 to claim it.'
    }),
    one(9, 'CHAT', { from: me, subject: 'Chat', text: 'Are you there?' }),
    one(2, 'DRAFT', { from: me, subject: 'Unfinished', text: 'Dear all, I have been thinking about' })
  ]
}

/** Moves the oldest newsletter to the trash. */
function throwAwayOne(content: MailboxContent): void {
  const oldest = [...content.messages.values()].find(({ labels }) => labels.includes('CATEGORY_PROMOTIONS'))
  if (oldest !== undefined) changeLabels(content, oldest, { add: ['TRASH'], remove: ['INBOX'] })
}

/** A mail conversation in short form: who wrote what, and how many hours after the previous message. */
type SeedThread = {
  subject: string
  /** How many days before the end of the seed it began. */
  daysAgo: number
  /** Ids of additional labels of all its messages. */
  labels?: readonly string[]
  mails: readonly SeedMail[]
}

type SeedMail = {
  /** As in `Ada Moreau <ada@example.com>`; absent for the account itself. */
  from?: string
  hours?: number
  text?: string
  html?: string
  /** The previous message is quoted below it. */
  quotes?: true
  files?: readonly { name: string; type: string; text: string }[]
  cc?: readonly string[]
}

/** Mail of one kind at regular intervals. */
type SeedSeries = {
  from: string
  everyDays: number
  labels: readonly string[]
  headers?: Readonly<Record<string, string>>
  issues: readonly { subject: string; text?: string; html?: string }[]
}

type SeedMailbox = {
  /** A word for ids of its messages. */
  id: string
  name: string
  /** As the owner writes it. The account's id is the address in lower case. */
  email: string
  threads: readonly SeedThread[]
  series: readonly SeedSeries[]
  /** Complete raw messages, for malformed content. */
  raw?: readonly { daysAgo: number; raw: string }[]
}

/** The series of a mailbox. */
type SeriesChoice =
  | { kind: 'newsletter'; from: string }
  | { kind: 'receipts'; first: number }
  | { kind: 'builds'; team: string }
  | { kind: 'list' }

/** The content of the series, row by row. */
type SeedTables = {
  /** Title and text of a newsletter story. */
  stories: readonly (readonly [string, string])[]
  /** The ordered item, its price, and the days until delivery. */
  orders: readonly (readonly [string, string, number])[]
  /** Branch, result and reason of a build. */
  builds: readonly (readonly [string, string, string])[]
  /** Title and text of a message to a mailing list. */
  tips: readonly (readonly [string, string])[]
}

/** Creates a series of mails from the tables. */
function createSeries(choice: SeriesChoice, { stories, orders, builds, tips }: SeedTables): SeedSeries {
  switch (choice.kind) {
    case 'newsletter':
      return newsletter(choice.from, stories)
    case 'receipts':
      return receipts(choice.first, orders)
    case 'builds':
      return buildReports(choice.team, builds)
    case 'list':
      return mailingList(tips)
  }
}

/** Creates a weekly newsletter in HTML with the usual table layout. */
function newsletter(from: string, stories: SeedTables['stories']): SeedSeries {
  const sender = from.replace(/\s*<.*/, '')
  return {
    from,
    everyDays: 7,
    labels: ['INBOX', 'CATEGORY_PROMOTIONS', 'UNREAD'],
    headers: { 'List-Unsubscribe': '<https://letters.example/unsubscribe>', Precedence: 'bulk' },
    issues: stories.map(([title, story], at) => ({
      subject: `${sender} #${at + 41}: ${title}`,
      html: letter({ sender, title, story, next: stories[(at + 1) % stories.length]?.[0] ?? '' })
    }))
  }
}

/** Creates orders and bills, starting at a place in the list. */
function receipts(from: number, all: SeedTables['orders']): SeedSeries {
  const orders = [...all.slice(from), ...all.slice(0, from)]
  return {
    from: 'Corner Shop <orders@cornershop.example>',
    everyDays: 9,
    labels: ['INBOX', 'CATEGORY_UPDATES'],
    issues: orders.map(([thing, price, days], at) => ({
      subject: `Your order ${4102 + at * 37}: ${thing}`,
      text: `Thank you for your order.\n\nItem: ${thing}\nTotal: ${price}\nDelivery: in ${days} days\n\nYou can send it back within 30 days.`
    }))
  }
}

/** Creates the reports on a team's builds. */
function buildReports(team: string, builds: SeedTables['builds']): SeedSeries {
  return {
    from: `Build Robot <builds@${team}.example>`,
    everyDays: 5,
    labels: ['INBOX', 'CATEGORY_UPDATES', 'Label_2'],
    headers: { 'Auto-Submitted': 'auto-generated' },
    issues: builds.map(([branch, outcome, why], at) => ({
      subject: `[${team}] build ${880 + at} on ${branch}: ${outcome}`,
      text: `Build ${880 + at} of ${team} on branch ${branch} has ${outcome}.\n\n${why}`
    }))
  }
}

/** Creates the messages of a mailing list with a footer. */
function mailingList(tips: SeedTables['tips']): SeedSeries {
  return {
    from: 'Garden & Hedge <garden@lists.example>',
    everyDays: 8,
    labels: ['INBOX', 'CATEGORY_FORUMS'],
    headers: { 'List-Id': 'Garden & Hedge <garden.lists.example>', 'List-Post': '<mailto:garden@lists.example>' },
    issues: tips.map(([title, tip]) => ({
      subject: `[garden] ${title}`,
      text: `${tip}\n\n-- \ngarden mailing list\nhttps://lists.example/garden`
    }))
  }
}

function letter({
  sender,
  title,
  story,
  next
}: {
  sender: string
  title: string
  story: string
  next: string
}): string {
  return `<!doctype html><html><head><style>body{font-family:Georgia}.x{color:#345}</style><title>${title}</title></head><body>
<div style="display:none">${title}&#847; &zwnj; &#847; &zwnj; &#847; &zwnj;</div>
<table width="600" cellpadding="0"><tr><td class="x"><h1>${title}</h1></td></tr>
<tr><td><p>${story}</p><p><a href="https://letters.example/read?utm_source=mail">Read on</a></p></td></tr>
<tr><td><p>Next week: ${next}.</p></td></tr>
<tr><td><small>${sender} &middot; <a href="https://letters.example/unsubscribe">Unsubscribe</a></small></td></tr></table>
<img src="https://letters.example/open.gif" width="1" height="1"></body></html>`
}
