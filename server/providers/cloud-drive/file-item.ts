import { createHash } from 'node:crypto'
import type { DocumentType } from '../../../src/documents/port/document-reader.ts'
import type { SeenItem } from '../port/provider.ts'
import type { DriveFile } from './wire.ts'

/** A file as a page tells of it. */
export function toSeenFile(file: DriveFile, place: string): SeenItem {
  const way = chooseConversion(file)
  const seen = { id: file.id, version: computeFileVersion(file), place, title: file.name }
  return way.by === 'nothing' ? { ...seen, skipped: way.why } : seen
}

/**
 * Differs where text or title may. Of files with bytes, their checksum says so, and their revision where there is none.
 * Native documents have neither: their `version` grows with each change, also of what does not show (so that one may be read in vain),
 * and `modifiedTime` with each edit.
 */
export function computeFileVersion({
  md5Checksum,
  headRevisionId,
  version,
  modifiedTime,
  name,
  mimeType
}: DriveFile): string {
  const bytes = md5Checksum ?? headRevisionId ?? [version ?? '', modifiedTime ?? '']
  return createHash('sha256')
    .update(JSON.stringify([bytes, name, mimeType]))
    .digest('base64url')
    .slice(0, 22)
}

/** Larger files are not fetched, in bytes: what `Documents` takes. */
export const FILE_BYTES_MAX = 50 * 1024 * 1024

/** How a file becomes text: by downloading it, by exporting it in the first form that Drive offers, or not at all. */
export type Conversion =
  | { by: 'download'; type: DocumentType }
  | { by: 'export'; forms: readonly (readonly [mimeType: string, type: DocumentType])[] }
  | { by: 'nothing'; why: string }

/** What is done with a file. `why` is half a sentence. */
export function chooseConversion(file: DriveFile): Conversion {
  const forms = EXPORTS.get(file.mimeType)
  const type = DOWNLOADS.get(file.mimeType) ?? findTypeByName(file)
  if (forms === undefined && type === undefined) return { by: 'nothing', why: explainUnread(file.mimeType) }
  if (file.capabilities?.canDownload === false)
    return { by: 'nothing', why: 'whoever owns it does not allow that it is downloaded' }
  if (forms !== undefined) return { by: 'export', forms }
  if (Number(file.size ?? 0) > FILE_BYTES_MAX) return { by: 'nothing', why: 'it is larger than 50 MiB' }
  return type === undefined ? { by: 'nothing', why: explainUnread(file.mimeType) } : { by: 'download', type }
}

const GOOGLE = 'application/vnd.google-apps.'
const OFFICE = 'application/vnd.openxmlformats-officedocument.'

/** https://developers.google.com/workspace/drive/api/guides/ref-export-formats; older accounts lack Markdown. */
const EXPORTS: ReadonlyMap<string, readonly (readonly [string, DocumentType])[]> = new Map([
  [
    `${GOOGLE}document`,
    [
      ['text/markdown', 'markdown'],
      ['text/plain', 'text']
    ]
  ],
  [
    `${GOOGLE}spreadsheet`,
    [
      [`${OFFICE}spreadsheetml.sheet`, 'xlsx'],
      ['text/csv', 'csv']
    ]
  ],
  [`${GOOGLE}presentation`, [['text/plain', 'text']]]
])

const DOWNLOADS: ReadonlyMap<string, DocumentType> = new Map([
  ['application/pdf', 'pdf'],
  [`${OFFICE}wordprocessingml.document`, 'docx'],
  [`${OFFICE}spreadsheetml.sheet`, 'xlsx'],
  ['text/html', 'html'],
  ['application/xhtml+xml', 'html'],
  ['text/markdown', 'markdown'],
  ['text/x-markdown', 'markdown'],
  ['text/csv', 'csv'],
  ['text/tab-separated-values', 'csv'],
  ['text/plain', 'text'],
  ['application/json', 'text'],
  ['text/xml', 'text'],
  ['application/xml', 'text'],
  ['text/x-log', 'text'],
  ['text/yaml', 'text'],
  ['application/x-yaml', 'text']
])

/** Whoever uploads a file may leave its type open or call it plain text. */
const NAMELESS = new Set(['application/octet-stream', 'text/plain'])
const BY_EXTENSION: ReadonlyMap<string, DocumentType> = new Map([
  ['pdf', 'pdf'],
  ['docx', 'docx'],
  ['xlsx', 'xlsx'],
  ['html', 'html'],
  ['htm', 'html'],
  ['md', 'markdown'],
  ['csv', 'csv'],
  ['tsv', 'csv'],
  ['txt', 'text']
])

function findTypeByName({ mimeType, name }: DriveFile): DocumentType | undefined {
  if (!NAMELESS.has(mimeType)) return undefined
  return BY_EXTENSION.get(/\.([A-Za-z]{2,5})$/.exec(name)?.[1]?.toLowerCase() ?? '')
}

function explainUnread(mimeType: string): string {
  const kind = /^(image|video|audio)\//.exec(mimeType)?.[1]
  if (kind !== undefined) return `it is ${kind === 'video' ? 'a' : 'an'} ${kind}, which has no text`
  if (mimeType.startsWith(GOOGLE)) return `a Google ${mimeType.slice(GOOGLE.length).slice(0, 40)} has no text to export`
  return `files of the type ${mimeType.replace(/[^\w./+-]/g, '').slice(0, 80)} are not read`
}
