import { Buffer } from 'node:buffer'
import * as z from 'zod'
import type { SandboxChange, SandboxProvider } from '../core/sandbox-provider.ts'
import {
  type DriveComment,
  type DriveContent,
  type DriveNode,
  dropNode,
  FOLDER_TYPE,
  getContent,
  moveNode,
  noteChange,
  putNode,
  SHORTCUT_TYPE
} from './content.ts'
import { FRESH, newId } from './seed-accounts.ts'

const TEXT_MAX = 64 * 1024 * 1024
const SIZE_MAX = 5 * 1024 ** 4
const NAME_MAX = 20_000
const COUNT_MAX = 20_000

const Id = z.string().min(1).max(200)
const Name = z.string().max(NAME_MAX)
/** As text, or as bytes in Base64. With `size`, the content is repeated up to that many bytes. */
const Body = {
  text: z.string().max(TEXT_MAX).optional(),
  base64: z.base64().max(TEXT_MAX).optional(),
  size: z.int().min(0).max(SIZE_MAX).optional()
}

/**
 * Changes of a drive. `parent` and `id` are ids; `parent: "root"` is the top level, and `null` means shared by another
 * user without a place in the drive. Each returns `{id}`, except an `add_file` with a count, which returns `{ids}` and
 * numbers the names and texts.
 */
export const CHANGES: SandboxProvider['changes'] = {
  add_file: change(
    z.strictObject({
      parent: Id.nullable(),
      name: Name,
      mimeType: z.string().max(200).default('text/plain'),
      ...Body,
      downloadable: z.boolean().default(true),
      abusive: z.boolean().default(false),
      count: z.int().min(1).max(COUNT_MAX).default(1)
    }),
    ({ count, ...one }, at) => {
      if (count === 1) return addFile(at, one)
      return { ids: Array.from({ length: count }, (_, n) => addFile(at, numberFile(one, n + 1)).id) }
    }
  ),
  add_folder: change(z.strictObject({ parent: Id.nullable(), name: Name }), (given, at) =>
    addNode(at, { ...given, mimeType: FOLDER_TYPE })
  ),
  add_shortcut: change(z.strictObject({ parent: Id, name: Name, target: Id }), ({ target, ...given }, at) =>
    addNode(at, { ...given, mimeType: SHORTCUT_TYPE, target: requireNode(at.content, target).id })
  ),
  edit_file: change(z.strictObject({ id: Id, ...Body }), ({ id, text, base64, size }, at) => {
    const node = requireNode(at.content, id)
    node.bytes = toBytes({ text, base64 })
    if (size === undefined) delete node.size
    else node.size = size
    return noteNode(at, node, true)
  }),
  rename: change(z.strictObject({ id: Id, name: Name }), ({ id, name }, at) => {
    const node = requireNode(at.content, id)
    node.name = name
    return noteNode(at, node, true)
  }),
  move: change(z.strictObject({ id: Id, parent: Id.nullable() }), ({ id, parent }, at) => {
    const node = requireNode(at.content, id)
    moveNode(at.content, node, parent === null ? undefined : requireNode(at.content, parent).id)
    return noteNode(at, node, false)
  }),
  trash: change(z.strictObject({ id: Id, trashed: z.boolean().default(true) }), ({ id, trashed }, at) => {
    const node = requireNode(at.content, id)
    node.trashed = trashed
    return noteNode(at, node, false)
  }),
  /** Without `reply_to`, the comment begins a thread. A comment changes the version of the file but not its time. */
  comment: change(
    z.strictObject({
      id: Id,
      author: Name,
      text: z.string().max(TEXT_MAX),
      quoted: Name.optional(),
      reply_to: Id.optional()
    }),
    ({ id, author, text, quoted, reply_to }, at) => {
      const node = requireNode(at.content, id)
      const { comments = [] } = node
      const comment = { id: newId(at.random), author, content: text, createdAt: at.now, deleted: false, replies: [] }
      const thread = reply_to === undefined ? comments : requireComment(node, reply_to).replies
      thread.push({ ...comment, quoted })
      node.comments = comments
      noteNode(at, node, false)
      return { id: comment.id }
    }
  ),
  delete_comment: change(z.strictObject({ id: Id, comment: Id }), ({ id, comment }, at) => {
    const node = requireNode(at.content, id)
    requireComment(node, comment).deleted = true
    return noteNode(at, node, false)
  }),
  delete: change(z.strictObject({ id: Id }), ({ id }, at) => removeNode(at, requireNode(at.content, id))),
  unshare: change(z.strictObject({ id: Id }), ({ id }, at) => removeNode(at, requireNode(at.content, id)))
}

type At = { content: DriveContent; now: number; random(): number }

function change<S extends z.ZodType>(schema: S, apply: (input: z.output<S>, at: At) => unknown): SandboxChange {
  return (account, input, { now, random }) => {
    const parsed = schema.safeParse(input)
    if (!parsed.success) throw new Error(z.prettifyError(parsed.error))
    return apply(parsed.data, { content: getContent(account), now, random })
  }
}

function requireNode(content: DriveContent, id: string): DriveNode {
  const node = content.nodes.get(id === 'root' ? content.root : id)
  if (node === undefined) throw new Error(`file or folder ${id} does not exist`)
  return node
}

function requireComment({ comments = [] }: DriveNode, id: string): DriveComment {
  const found = comments.flatMap((comment) => [comment, ...comment.replies]).find((comment) => comment.id === id)
  if (found === undefined) throw new Error(`comment ${id} does not exist`)
  return found
}

type Added = Partial<DriveNode> & { name: string; mimeType: string }

function addNode(at: At, { parent: wanted, ...given }: Omit<Added, 'parent'> & { parent: string | null }) {
  const { content, now, random } = at
  const parent = wanted === null ? undefined : requireNode(content, wanted)
  const place = parent === undefined ? {} : { parent: parent.id, ...(parent.driveId && { driveId: parent.driveId }) }
  const node = { ...FRESH, id: newId(random), ...given, ...place, createdAt: now, modifiedAt: now }
  return noteNode(at, putNode(content, node), false)
}

type GivenFile = Omit<Added, 'parent' | 'bytes' | 'size'> & {
  parent: string | null
  text?: string | undefined
  base64?: string | undefined
  size?: number | undefined
}

function addFile(at: At, { text, base64, size, ...more }: GivenFile) {
  return addNode(at, { ...more, bytes: toBytes({ text, base64 }), ...(size !== undefined && { size }) })
}

/** Numbers one of several files: `a.txt` becomes `a 1.txt`. Bytes are unchanged. */
function numberFile({ name, text, ...more }: GivenFile, n: number): GivenFile {
  const [, stem = '', ending = ''] = /^(.*?)(\.[A-Za-z0-9]{1,8})?$/s.exec(name) ?? []
  return { ...more, name: `${stem} ${n}${ending}`, ...(text !== undefined && { text: `${text} (${n})` }) }
}

function noteNode({ content, now }: At, node: DriveNode, edited: boolean) {
  noteChange(content, node, { at: now, edited })
  return { id: node.id }
}

function removeNode({ content, now }: At, node: DriveNode) {
  dropNode(content, node)
  noteChange(content, node, { at: now, edited: false })
  return { id: node.id }
}

function toBytes({ text = '', base64 }: { text?: string | undefined; base64?: string | undefined }): Uint8Array {
  return base64 === undefined ? Buffer.from(text) : Buffer.from(base64, 'base64')
}
