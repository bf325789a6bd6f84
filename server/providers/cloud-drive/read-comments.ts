import * as z from 'zod'
import type { TextPart } from '../../../src/documents/chunking/draft-memories.ts'
import { parseValue } from '../http/parse-value.ts'
import type { ProviderCall } from '../port/provider.ts'
import { ProviderFailure } from '../port/provider-failure.ts'
import { FACTS } from './facts.ts'
import { toFailure } from './failures.ts'
import { sendRequest, toFilePath } from './requests.ts'

/** Limits of the comments of one file: pages of a listing, and the page size (drive.comments.list, `pageSize`). */
const PAGES_MAX = 20
const PAGE_SIZE_MAX = 100
/** A longer quotation of the file is cut, in UTF-16 code units. */
const QUOTED_MAX = 300

const Author = z.looseObject({ displayName: z.string().optional() }).optional()

const Reply = z.looseObject({
  author: Author,
  content: z.string().default(''),
  createdTime: z.string().optional(),
  deleted: z.boolean().optional()
})

const Comment = Reply.extend({
  quotedFileContent: z.looseObject({ value: z.string().optional() }).optional(),
  replies: z.array(Reply).default([])
})

const CommentList = z.looseObject({
  comments: z.array(Comment).default([]),
  nextPageToken: z.string().min(1).optional()
})

const REPLY_FIELDS = 'author(displayName),content,createdTime,deleted'

/** `cut` is why some comments are missing. */
export type FileComments = { parts: TextPart[]; cut?: string }

/**
 * Reads the comments on a file and their replies as turns about it, each with its author and date. What a comment
 * refers to is quoted above it.
 *
 * @throws ProviderFailure
 */
export async function readComments(call: ProviderCall, fileId: string): Promise<FileComments> {
  const parts: TextPart[] = []
  let token: string | undefined
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const page = await listComments(call, fileId, token)
    if (page === undefined) return { parts, cut: NOT_SHOWN }
    parts.push(...page.comments.flatMap((comment) => toParts(comment, fileId)))
    if (page.nextPageToken === undefined) return { parts }
    if (page.nextPageToken === token)
      throw new ProviderFailure('contract_broken', 'the comments: a page refers to itself as the next one')
    token = page.nextPageToken
  }
  return { parts, cut: `only its first ${PAGES_MAX * PAGE_SIZE_MAX} comments are read` }
}

const NOT_SHOWN = 'its comments are not read: Drive does not show them to this account'

/**
 * Returns undefined if the account may read the file but not its comments. A 404 says nothing about the file, which was
 * just read: a service with a part of Drive's API may lack comments.
 */
async function listComments(call: ProviderCall, fileId: string, token: string | undefined) {
  const query = {
    fields: `nextPageToken,comments(${REPLY_FIELDS},quotedFileContent(value),replies(${REPLY_FIELDS}))`,
    pageSize: PAGE_SIZE_MAX,
    pageToken: token
  }
  const what = 'the comments of the file'
  const replied = await sendRequest(call, { path: `${toFilePath(fileId)}/comments`, query, what })
  const failure = toFailure(replied, { what, subject: 'item' })
  if (replied.status === 404 || failure?.kind === 'item_permanent') return undefined
  if (failure !== undefined) throw failure
  return parseValue(replied, CommentList, { what, service: FACTS.service })
}

function toParts(
  { quotedFileContent, replies, ...comment }: z.infer<typeof Comment>,
  conversation: string
): TextPart[] {
  const quoted = quotedFileContent?.value?.replace(/\s+/g, ' ').trim().slice(0, QUOTED_MAX).toWellFormed()
  const said = { ...comment, content: quoted ? `> ${quoted}\n\n${comment.content}` : comment.content }
  return [...(comment.content.trim() === '' ? [] : [said]), ...replies].flatMap((one) => toPart(one, conversation))
}

function toPart({ author, content, createdTime, deleted }: z.infer<typeof Reply>, conversation: string): TextPart[] {
  const at = Date.parse(createdTime ?? '')
  const speaker = author?.displayName?.trim()
  if (deleted || content.trim() === '') return []
  return [{ text: content.trim(), conversation, ...(speaker && { speaker }), ...(!Number.isNaN(at) && { at }) }]
}
