import { Buffer } from 'node:buffer'
import * as z from 'zod'
import type { SandboxAccount, SandboxChange } from '../core/sandbox-provider.ts'
import {
  changeLabels,
  deliver,
  forgetHistory,
  type MailboxContent,
  removeMessage,
  type StoredMessage
} from './content.ts'
import { getMail } from './mail-call.ts'
import { compose } from './mime.ts'
import { SYSTEM_LABELS } from './routes.ts'

const Address = z.string().min(3).max(20_000)

const Target = z.strictObject({ id: z.string() })

/**
 * `raw` is a complete message; without it, one is composed from the other members. `count` copies arrive at the same
 * time.
 */
const Received = z.strictObject({
  raw: z
    .string()
    .max(64 * 1024 * 1024)
    .optional(),
  from: Address.default('Nora Lindqvist <nora.lindqvist@example.org>'),
  to: z.array(Address).max(100).optional(),
  cc: z.array(Address).max(100).optional(),
  subject: z.string().max(20_000).default('Hello'),
  text: z.string().max(1_000_000).optional(),
  html: z.string().max(1_000_000).optional(),
  /** The message in this mailbox that it replies to. */
  reply_to: z.string().optional(),
  attachments: z
    .array(
      z.strictObject({
        name: z.string().max(20_000),
        type: z
          .string()
          .regex(/^[\w.+-]+\/[\w.+-]+$/)
          .default('application/octet-stream'),
        base64: z
          .base64()
          .max(64 * 1024 * 1024)
          .default(''),
        /** The size of generated content, used instead of given bytes. */
        size: z
          .int()
          .min(0)
          .max(64 * 1024 * 1024)
          .optional()
      })
    )
    .max(50)
    .optional(),
  labels: z.array(z.string().min(1).max(100)).max(50).default(['INBOX', 'UNREAD']),
  count: z.int().min(1).max(20_000).default(1)
})

const Relabelled = z.strictObject({
  id: z.string(),
  add: z.array(z.string().min(1).max(100)).max(50).default([]),
  remove: z.array(z.string().min(1).max(100)).max(50).default([])
})

type Received = z.infer<typeof Received>

/**
 * Changes of a mailbox. Each returns `{id, thread_id, labels}` of the message, except `delete`, `expire_history`, and a
 * `receive` with a count, which returns `{ids}`.
 *
 * - `receive {raw | from, to, cc, subject, text, html, reply_to, attachments: [{name, type, base64 | size}], labels,
 * count}`
 * - `trash {id}`, `untrash {id}`, `spam {id}`, `unspam {id}`, `delete {id}`: as in the web client
 * - `label {id, add, remove}`: ids of labels; unknown ones are created
 * - `expire_history {}`: makes every client's history id too old
 */
export const CHANGES: Readonly<Record<string, SandboxChange>> = {
  receive,
  trash: createLabelChange({ add: ['TRASH'], remove: ['INBOX'] }),
  untrash: createLabelChange({ add: [], remove: ['TRASH'] }),
  spam: createLabelChange({ add: ['SPAM'], remove: ['INBOX'] }),
  unspam: createLabelChange({ add: ['INBOX'], remove: ['SPAM'] }),
  label(account, input) {
    const { id, add, remove } = parseInput(Relabelled, input)
    const mail = getMail(account)
    const message = requireMessage(mail, id)
    for (const label of add) if (!isSystem(label)) mail.labels.set(label, mail.labels.get(label) ?? label)
    changeLabels(mail, message, { add, remove })
    return describeMessage(message)
  },
  delete(account, input) {
    const mail = getMail(account)
    const message = requireMessage(mail, parseInput(Target, input).id)
    removeMessage(mail, message)
    return { id: message.id }
  },
  expire_history(account, input) {
    parseInput(z.strictObject({}), input ?? {})
    forgetHistory(getMail(account))
    return {}
  }
}

function receive(account: SandboxAccount, input: unknown, { now, random }: { now: number; random(): number }): unknown {
  const given = parseInput(Received, input ?? {})
  const mail = getMail(account)
  const answered = given.reply_to === undefined ? undefined : requireMessage(mail, given.reply_to)
  const made: StoredMessage[] = []
  for (let at = 0; at < given.count; at++) {
    const raw = toRaw(given, { account, mail, answered, at, now, random })
    made.push(deliver(mail, { raw, at: now, labels: given.labels, threadId: answered?.threadId }, random))
  }
  const [only] = made
  return given.count === 1 && only !== undefined ? describeMessage(only) : { ids: made.map(({ id }) => id) }
}

type Receiving = {
  account: SandboxAccount
  mail: MailboxContent
  answered: StoredMessage | undefined
  /** The index among several copies. */
  at: number
  now: number
  random(): number
}

function toRaw(given: Received, { account, mail, answered, at, now, random }: Receiving): Uint8Array {
  if (given.raw !== undefined) return Buffer.from(given.raw, 'utf8')
  const { from, cc, text, html, attachments } = given
  const references = [...mail.threads].filter(([, thread]) => thread === answered?.threadId).map(([id]) => id)
  return compose({
    from,
    to: given.to ?? [`${account.name} <${account.email}>`],
    ...(cc && { cc }),
    subject: given.count === 1 ? given.subject : `${given.subject} ${at + 1}`,
    at: now,
    messageId: `<${Math.floor(random() * 2 ** 48).toString(36)}.${at}@mail.example.org>`,
    references,
    ...(text !== undefined && { text: given.count === 1 ? text : `${text} (${at + 1})` }),
    ...(html !== undefined && { html }),
    ...(attachments && {
      files: attachments.map(({ name, type, base64, size }) => ({
        name,
        type,
        bytes: size === undefined ? Buffer.from(base64, 'base64') : Buffer.alloc(size, 7)
      }))
    })
  })
}

function createLabelChange(labels: { add: readonly string[]; remove: readonly string[] }): SandboxChange {
  return (account, input) => {
    const mail = getMail(account)
    const message = requireMessage(mail, parseInput(Target, input).id)
    changeLabels(mail, message, labels)
    return describeMessage(message)
  }
}

function requireMessage(mail: MailboxContent, id: string): StoredMessage {
  const found = mail.messages.get(id)
  if (found === undefined) throw new Error(`message ${id} does not exist in this mailbox`)
  return found
}

function describeMessage({ id, threadId, labels }: StoredMessage): unknown {
  return { id, thread_id: threadId, labels }
}

function isSystem(label: string): boolean {
  return (SYSTEM_LABELS as readonly string[]).includes(label)
}

function parseInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new Error(`${issue?.path.join('.') || 'input'}: ${issue?.message ?? 'is not valid'}`)
}
