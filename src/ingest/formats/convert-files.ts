import { chooseDocumentType } from '../../documents/choose-document-type.ts'
import { limitText } from '../../documents/formats/limit-text.ts'
import { readMarkdown } from '../../documents/formats/read-markdown.ts'
import { type DocumentText, type DocumentType, FILE_BYTES_MAX } from '../../documents/port/document-reader.ts'
import { takeFile } from '../lines/chat-message.ts'
import { toLines } from '../lines/to-lines.ts'
import { type FileTree, readWhole, type TreeFile, toLossReason } from '../port/file-tree.ts'
import type { FormatFacts, Given, Item } from '../port/format.ts'
import { findSkipReason } from '../port/losses.ts'
import { convertMailFile, findMailType, type SeenMails } from './convert-mail-file.ts'
import { convertNote } from './convert-note.ts'

/** Every file whose type `src/documents/choose-document-type.ts` knows. */
export const DOCUMENTS_FACTS: FormatFacts = {
  id: 'documents',
  name: 'a folder of documents',
  markers: [],
  general: /./,
  edits: 'items'
}

/**
 * Converts each file of a tree: Markdown to notes, mail to messages as a mailbox connector does, other documents to chunks
 * as a drive connector does. The ids do not depend on the format that was detected, so that a folder of notes may gain
 * other documents.
 */
export async function* convertFiles(tree: FileTree, given: Given): AsyncGenerator<Item> {
  const seen: SeenMails = new Set()
  for (const file of tree.files) {
    given.signal.throwIfAborted()
    yield* takeFile(file, convertMailOrFile(tree, file, { given, seen }))
  }
}

async function* convertMailOrFile(
  tree: FileTree,
  file: TreeFile,
  { given, seen }: { given: Given; seen: SeenMails }
): AsyncGenerator<Item> {
  const mail = await findMailType(file)
  if (mail === undefined) yield* await convertFile(tree, file, given)
  else yield* convertMailFile(mail, { file, given, seen })
}

async function convertFile(tree: FileTree, file: TreeFile, given: Given): Promise<Item[]> {
  const { path } = file
  const type = chooseType(tree, path)
  if (type === undefined) return [{ kind: 'file', path, leftOut: findSkipReason(path) }]
  const kind = type === 'markdown' ? 'note' : 'document'
  if (file.size === 0) return [{ kind, path, leftOut: 'empty' }]
  try {
    const bytes = await readWhole(file, FILE_BYTES_MAX)
    const found = await readText(bytes, type, given)
    const item =
      type === 'markdown' ? convertNote(found.text, { tree, file, given }) : convertDocument(found, tree, file)
    if (item.lines.length === 0) return [{ kind, path, leftOut: 'empty' }]
    const rest: Item[] = found.cut ? [{ kind: 'rest', path, leftOut: 'truncated' }] : []
    return [{ kind, path, ...item }, ...rest]
  } catch (error) {
    return [{ kind, path, leftOut: toLossReason(error) }]
  }
}

/** Markdown up to this size is read in this process: that takes less time than handing it over. */
const SMALL_BYTES = 256 * 1024

/** Reads a document with the same readers as the connectors. */
async function readText(
  bytes: Uint8Array,
  type: DocumentType,
  { documents, signal }: Pick<Given, 'documents' | 'signal'>
): Promise<DocumentText> {
  if (type !== 'markdown' || bytes.length > SMALL_BYTES) return await documents.readText(bytes, type, signal)
  return limitText(readMarkdown(bytes).text)
}

/** A single file that its ending does not describe is a note, because the user has chosen it. */
function chooseType({ kind, files }: FileTree, path: string): DocumentType | undefined {
  const choice = chooseDocumentType({ mimeType: '', name: path })
  if ('type' in choice) return choice.type
  return kind === 'file' && files.length === 1 && !/\.\w+$/.test(path) ? 'markdown' : undefined
}

function convertDocument({ text, title }: DocumentText, tree: FileTree, { path, modifiedMs }: TreeFile) {
  const id = `${tree.name}/${path}`
  const name = path.slice(path.lastIndexOf('/') + 1) || title
  const part = { text, ...(modifiedMs !== undefined && { at: modifiedMs }) }
  const lines = toLines({ id, ...(name && { title: name }), parts: [part] }, { format: 'documents', id, path })
  return { lines, replaces: `documents:${id}` }
}
