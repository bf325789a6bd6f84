import { createHash } from 'node:crypto'
import { CUT_DOCUMENT, type DocumentText, FILE_BYTES_MAX } from '../../../src/documents/port/document-reader.ts'
import type { Replied } from '../http/ask.ts'
import type { ItemContent, LookedUp, SyncCall } from '../port/provider.ts'
import { ProviderFailure, unlessGone } from '../port/provider-failure.ts'
import { toFailure } from './failures.ts'
import { type Conversion, chooseConversion, computeFileVersion, toSeenFile } from './file-item.ts'
import { readComments } from './read-comments.ts'
import { getFile, sendRequest, toFilePath, unwrapBytes, wrongBodyFailure } from './requests.ts'
import { isWithin, openTable, type Table } from './tree.ts'
import { type DriveFile, FOLDER_TYPE, SHORTCUT_TYPE } from './wire.ts'

/** Reads the current text of a file, as one part, and the comments on it. */
export async function read(call: SyncCall, itemId: string): Promise<ItemContent> {
  const file = await getFile(call, itemId)
  if (file.trashed) throw new ProviderFailure('item_gone', 'it is in the trash')
  const { text, title, cut } = await readText(call, file, chooseConversion(file))
  const comments = call.reads?.comments ? await readComments(call, file.id) : { parts: [] }
  const at = Date.parse(file.modifiedTime ?? '')
  const name = file.name.trim() || title
  return {
    id: file.id,
    version: computeFileVersion(file, call.reads),
    ...(name && { title: name }),
    ...(file.webViewLink && { url: file.webViewLink }),
    parts: [{ text, ...(!Number.isNaN(at) && { at }) }, ...comments.parts],
    ...((cut || comments.cut) && { cut: cut ? CUT_DOCUMENT : comments.cut })
  }
}

const CONTENT = { what: 'the content of the file', subject: 'item', bytesMax: FILE_BYTES_MAX } as const

async function readText(call: SyncCall, file: DriveFile, way: Conversion): Promise<DocumentText> {
  if (way.by === 'nothing') throw new ProviderFailure('item_permanent', way.why)
  if (way.by === 'export') return exportText(call, file.id, way.forms)
  const query = { alt: 'media', supportsAllDrives: true }
  const asked = { ...CONTENT, path: toFilePath(file.id), query }
  const bytes = unwrapBytes(asked, await sendRequest(call, asked))
  const unlike = describeFileMismatch(bytes, file)
  if (unlike !== undefined) throw wrongBodyFailure(asked, unlike)
  return call.documents.readText(bytes, way.type, call.signal)
}

/** Exports a file in the first available format. Drive refuses other formats with status 400. */
async function exportText(call: SyncCall, id: string, forms: Extract<Conversion, { by: 'export' }>['forms']) {
  for (const [place, [mimeType, type]] of forms.entries()) {
    const asked = { ...CONTENT, path: `${toFilePath(id)}/export`, query: { mimeType } }
    const replied = await sendRequest(call, asked)
    if (place + 1 < forms.length && isUnsupportedForm(replied, asked)) continue
    const bytes = unwrapBytes(asked, replied)
    const unlike = describeExportMismatch(replied.headers, mimeType)
    if (unlike !== undefined) throw wrongBodyFailure(asked, unlike)
    return call.documents.readText(bytes, type, call.signal)
  }
  throw new ProviderFailure('item_permanent', 'it cannot be exported')
}

/** Reports whether Drive itself, and not a proxy, refused the format. */
function isUnsupportedForm(replied: Replied, asked: typeof CONTENT): boolean {
  return replied.status === 400 && toFailure(replied, asked)?.kind === 'item_permanent'
}

/** Returns why bytes cannot be those of the file, as half a sentence, or undefined if they match. */
function describeFileMismatch(bytes: Uint8Array, { size, sha256Checksum }: DriveFile): string | undefined {
  if (size !== undefined && Number(size) !== bytes.length) return 'its size differs from that of the file'
  if (sha256Checksum === undefined) return undefined
  const isSame = createHash('sha256').update(bytes).digest('hex') === sha256Checksum.toLowerCase()
  return isSame ? undefined : 'its checksum differs from that of the file'
}

/**
 * Returns why an export does not match its type. Types that were once provisional are accepted under both names (RFC
 * 6648).
 */
function describeExportMismatch(headers: Headers, mimeType: string): string | undefined {
  const [said = ''] = (headers.get('content-type') ?? '').toLowerCase().split(';')
  if (said.trim().replace('/x-', '/') === mimeType) return undefined
  return `its type is ${said.replace(/[^\w./+-]/g, '').slice(0, 80) || 'unknown'} instead of ${mimeType}`
}

type Item = { id: string; place?: string }
type Where = { call: SyncCall; table: Table; selection: ReadonlySet<string> }

/**
 * See `Provider.lookUp`. A file is absent if Drive does not return it, if it is in the trash, or if it was moved to a
 * folder outside the selection. A file that is outside but did not move may have a shortcut that no listing reported,
 * so its state is unknown.
 */
export async function lookUp(call: SyncCall, item: Item, selected: readonly string[]): Promise<LookedUp> {
  const file = await unlessGone(getFile(call, item.id))
  if (file === undefined || file.trashed || file.id !== item.id) return 'absent'
  const where = { call, table: openTable(call.ledger, 'changes/'), selection: new Set(selected) }
  if (file.mimeType === FOLDER_TYPE || file.mimeType === SHORTCUT_TYPE)
    return where.selection.has(file.id) ? 'unknown' : 'absent'
  const holder = await findHolder(where, file, item)
  if (holder !== undefined) return toSeenFile(file, holder, call.reads)
  return file.parents?.[0] === item.place && item.place !== undefined ? 'unknown' : 'absent'
}

/** Returns the folder or shortcut that makes a file part of the selection, or undefined if none is known. */
async function findHolder(where: Where, file: DriveFile, { place }: Item): Promise<string | undefined> {
  if (where.selection.has(file.id)) return ''
  const parent = file.parents?.[0]
  if (parent !== undefined && (await isWithin(where, parent))) return parent
  const prefix = `pointer:${file.id}:`
  const [known] = [...(await where.table.entries(prefix)).keys()].sort()
  if (known !== undefined) return known.slice(prefix.length)
  return place !== undefined && place !== parent && (await isHeldBy(where, file, place)) ? place : undefined
}

/** Reports whether the shortcut still points to the file and is in the selection. */
async function isHeldBy(where: Where, { id }: DriveFile, shortcut: string): Promise<boolean> {
  const found = await unlessGone(getFile(where.call, shortcut))
  const folder = found?.parents?.[0]
  if (found?.shortcutDetails?.targetId !== id || found.trashed || folder === undefined) return false
  return await isWithin(where, folder)
}
