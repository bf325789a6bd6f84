import { Buffer } from 'node:buffer'
import { readSeed } from '../core/read-seed.ts'
import type { SandboxAccount, Seed } from '../core/sandbox-provider.ts'
import { changeLabels, createMailbox, deliver, type MailboxContent } from './content.ts'
import { compose } from './mime.ts'

import seedFile from './seed.json' with { type: 'json' }

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Three people with the mail of some months. */
export function seedAccounts(seed: Seed): SandboxAccount[] {
  const { mailboxes, ...tables } = readSeed<SeedFile>(seedFile)
  return mailboxes.map(({ series, ...more }) => {
    const story = { ...more, series: series.map((one) => createSeries(one, tables)) }
    const { name, email } = story
    return { id: email.toLowerCase(), name, email, content: fillMailbox(story, seed) }
  })
}

/** `seed.json`: mailboxes, whose series are made from the tables beside them. */
type SeedFile = SeedTables & {
  mailboxes: readonly (Omit<SeedMailbox, 'series'> & { series: readonly SeriesChoice[] })[]
}

type Arrival = { at: number; raw: Uint8Array; labels: readonly string[] }

/** All mail in the order in which it came, so that its history runs as its times do. */
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

/** As mail programs do it: what is answered stands below, each line marked, under a line that says whose it is. */
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

/** What must not be taken in: a draft, spam, a line of chat. */
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

/** The oldest letter lies in the trash. */
function throwAwayOne(content: MailboxContent): void {
  const oldest = [...content.messages.values()].find(({ labels }) => labels.includes('CATEGORY_PROMOTIONS'))
  if (oldest !== undefined) changeLabels(content, oldest, { add: ['TRASH'], remove: ['INBOX'] })
}

/** A talk by mail, told briefly: who wrote what, how many hours after the one before. */
type SeedThread = {
  subject: string
  /** How many days before the seed's end it began. */
  daysAgo: number
  /** Label ids of all its messages besides where they lie. */
  labels?: readonly string[]
  mails: readonly SeedMail[]
}

type SeedMail = {
  /** As in `Ada Moreau <ada@example.com>`; absent for the account itself. */
  from?: string
  hours?: number
  text?: string
  html?: string
  /** The message before stands below it, quoted. */
  quotes?: true
  files?: readonly { name: string; type: string; text: string }[]
  cc?: readonly string[]
}

/** What fills a mailbox besides talk: mails of one kind, one by one through the months. */
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
  /** As its owner writes it; the account is known by it in lower case. */
  email: string
  threads: readonly SeedThread[]
  series: readonly SeedSeries[]
  /** Whole messages as they came, for what no honest program writes. */
  raw?: readonly { daysAgo: number; raw: string }[]
}

/** Which series a mailbox gets. */
type SeriesChoice =
  | { kind: 'newsletter'; from: string }
  | { kind: 'receipts'; first: number }
  | { kind: 'builds'; team: string }
  | { kind: 'list' }

/** What series are made of, row by row. */
type SeedTables = {
  /** Title and story of a newsletter. */
  stories: readonly (readonly [string, string])[]
  /** What was ordered, its price, and in how many days it comes. */
  orders: readonly (readonly [string, string, number])[]
  /** Branch, outcome and reason of a build. */
  builds: readonly (readonly [string, string, string])[]
  /** Title and text of a message to a mailing list. */
  tips: readonly (readonly [string, string])[]
}

/** Makes a series of mails out of the tables. */
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

/** A weekly letter in HTML, laid out with tables as such letters are. */
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

/** Orders and bills, beginning somewhere in the list. */
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

/** What a machine reports on a team's builds. */
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

/** A mailing list with its footer. */
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
