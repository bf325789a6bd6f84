import * as z from 'zod'

/**
 * What is used of Gmail's replies; whatever else they hold is let by. Members and types: the discovery document of
 * gmail v1. Ids of messages are opaque; 64-bit numbers come as text, and lists that are empty are left out.
 */

/** A place in the mailbox's history: a `uint64` in digits, larger than a number can hold exactly. */
export const HistoryId = z.string().regex(/^\d{1,20}$/)

const Id = z.string().min(1).max(256)

const PageToken = z.string().min(1).max(8192)

const Labels = z.array(z.string())

/** A message as lists and history name it. `labelIds` are often left out there. */
const MessageName = z.looseObject({ id: Id, labelIds: Labels.optional() })

export const Profile = z.looseObject({ emailAddress: z.string().min(3).max(320), historyId: HistoryId })

export const MessageList = z.looseObject({
  messages: z.array(MessageName).default([]),
  nextPageToken: PageToken.optional()
})

const MessageEvent = z.looseObject({ message: MessageName })
const LabelEvent = z.looseObject({ message: MessageName, labelIds: Labels.default([]) })

export const HistoryRecord = z.looseObject({
  id: HistoryId,
  messagesAdded: z.array(MessageEvent).default([]),
  messagesDeleted: z.array(MessageEvent).default([]),
  labelsAdded: z.array(LabelEvent).default([]),
  labelsRemoved: z.array(LabelEvent).default([])
})

export const HistoryList = z.looseObject({
  history: z.array(HistoryRecord).default([]),
  historyId: HistoryId,
  nextPageToken: PageToken.optional()
})

/** `format=minimal`, and what the other formats have too. */
export const MessageState = z.looseObject({
  id: Id,
  threadId: Id,
  labelIds: Labels.default([]),
  historyId: HistoryId,
  internalDate: z
    .string()
    .regex(/^-?\d{1,16}$/)
    .optional()
})

/** `format=raw`: all of it in base64url. */
export const RawMessage = MessageState.extend({ raw: z.string() })

const Header = z.looseObject({ name: z.string(), value: z.string() })

/** `format=full`: a tree of MIME parts. What is large has an id to be asked for by, in place of its bytes. */
export const PartOfMessage = z.looseObject({
  mimeType: z.string().default('text/plain'),
  filename: z.string().default(''),
  headers: z.array(Header).default([]),
  body: z.looseObject({ data: z.string().optional() }).default({}),
  /** Each again one of these: told apart one by one, since a tree may be deeper than a stack. */
  parts: z.array(z.unknown()).default([])
})

export const FullMessage = MessageState.extend({ payload: PartOfMessage })

export type Profile = z.infer<typeof Profile>
export type HistoryRecord = z.infer<typeof HistoryRecord>
export type MessageState = z.infer<typeof MessageState>
export type PartOfMessage = z.infer<typeof PartOfMessage>
