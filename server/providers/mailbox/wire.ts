import * as z from 'zod'

/**
 * The members of Gmail's replies that are used; others are allowed. Names and types are from the discovery document of
 * gmail v1. Message ids are opaque, 64-bit numbers are text, and empty lists are omitted.
 */

/** A position in the mailbox's history: a `uint64` in digits, larger than a number can represent exactly. */
export const HistoryId = z.string().regex(/^\d{1,20}$/)

const Id = z.string().min(1).max(256)

const PageToken = z.string().min(1).max(8192)

const Labels = z.array(z.string())

/** A message in lists and history records, where `labelIds` is often absent. */
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

/** `format=minimal`, and the common members of the other formats. */
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

/** `format=raw`: the whole message in base64url. */
export const RawMessage = MessageState.extend({ raw: z.string() })

const Header = z.looseObject({ name: z.string(), value: z.string() })

/** `format=full`: a tree of MIME parts. An attachment has an id to fetch it by instead of its bytes. */
export const PartOfMessage = z.looseObject({
  partId: z.string().max(1000).default(''),
  mimeType: z.string().default('text/plain'),
  filename: z.string().default(''),
  headers: z.array(Header).default([]),
  body: z
    .looseObject({ data: z.string().optional(), attachmentId: z.string().optional(), size: z.number().optional() })
    .default({}),
  /** Each is one of these again. They are parsed one by one, because a tree may be deeper than the stack. */
  parts: z.array(z.unknown()).default([])
})

/** users.messages.attachments.get: the bytes in base64url. */
export const AttachmentBody = z.looseObject({ data: z.string() })

export const FullMessage = MessageState.extend({ payload: PartOfMessage })

export type Profile = z.infer<typeof Profile>
export type HistoryRecord = z.infer<typeof HistoryRecord>
export type FullMessage = z.infer<typeof FullMessage>
export type MessageState = z.infer<typeof MessageState>
export type PartOfMessage = z.infer<typeof PartOfMessage>
