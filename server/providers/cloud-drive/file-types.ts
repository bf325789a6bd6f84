import type { DocumentType } from '../documents.ts'
import type { DriveFile } from './wire.ts'

/** Larger files are not fetched, in bytes: what `Documents` takes. */
export const FILE_BYTES_MAX = 50 * 1024 * 1024

/** How a file becomes text: by downloading it, by exporting it in the first form that Drive offers, or not at all. */
export type Way =
  | { by: 'download'; type: DocumentType }
  | { by: 'export'; forms: readonly (readonly [mimeType: string, type: DocumentType])[] }
  | { by: 'nothing'; why: string }

/** What is done with a file. `why` is half a sentence. */
export function wayOf(file: DriveFile): Way {
  const forms = EXPORTS.get(file.mimeType)
  const type = DOWNLOADS.get(file.mimeType) ?? typeByName(file)
  if (forms === undefined && type === undefined) return { by: 'nothing', why: whyNot(file.mimeType) }
  if (file.capabilities?.canDownload === false)
    return { by: 'nothing', why: 'whoever owns it does not allow that it is downloaded' }
  if (forms !== undefined) return { by: 'export', forms }
  if (Number(file.size ?? 0) > FILE_BYTES_MAX) return { by: 'nothing', why: 'it is larger than 50 MiB' }
  return type === undefined ? { by: 'nothing', why: whyNot(file.mimeType) } : { by: 'download', type }
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

function typeByName({ mimeType, name }: DriveFile): DocumentType | undefined {
  if (!NAMELESS.has(mimeType)) return undefined
  return BY_EXTENSION.get(/\.([A-Za-z]{2,5})$/.exec(name)?.[1]?.toLowerCase() ?? '')
}

function whyNot(mimeType: string): string {
  const kind = /^(image|video|audio)\//.exec(mimeType)?.[1]
  if (kind !== undefined) return `it is ${kind === 'video' ? 'a' : 'an'} ${kind}, which has no text`
  if (mimeType.startsWith(GOOGLE)) return `a Google ${mimeType.slice(GOOGLE.length).slice(0, 40)} has no text to export`
  return `files of the type ${mimeType.replace(/[^\w./+-]/g, '').slice(0, 80)} are not read`
}
