import { Buffer } from 'node:buffer'
import type { Seed, StandInAccount } from '../stand-in.ts'
import { compose } from './compose.ts'
import { changeLabels, emptyMailbox, type MailboxContent } from './content.ts'
import { deliver } from './deliver.ts'
import { ADA } from './seed-ada.ts'
import { BEN } from './seed-ben.ts'
import { CLIO } from './seed-clio.ts'
import type { SeedMail, SeedMailbox, SeedThread } from './seed-story.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Three people with the mail of some months. */
export function seededAccounts(seed: Seed): StandInAccount[] {
  return [ADA, BEN, CLIO].map((story) => {
    const { name, email } = story
    return { id: email.toLowerCase(), name, email, content: mailboxOf(story, seed) }
  })
}

type Arrival = { at: number; raw: Uint8Array; labels: readonly string[] }

/** All mail in the order in which it came, so that its history runs as its times do. */
function mailboxOf(story: SeedMailbox, seed: Seed): MailboxContent {
  const content = emptyMailbox()
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
      ...textsOf(mail, thread.mails[place - 1], { me, at: time }),
      ...(mail.files && { files: mail.files.map(({ text, ...file }) => ({ ...file, bytes: Buffer.from(text) })) })
    })
    const own = mail.from === undefined ? ['SENT'] : ['INBOX']
    return { at: time, raw, labels: [...own, ...(thread.labels ?? [])] }
  })
}

/** As mail programs do it: what is answered stands below, each line marked, under a line that says whose it is. */
function textsOf(
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
