import { createHash } from 'node:crypto'
import { chooseDocumentType } from '../../../src/documents/choose-document-type.ts'
import { type DocumentType, FILE_BYTES_MAX } from '../../../src/documents/port/document-reader.ts'
import type { ReadOptions, SeenItem } from '../port/provider.ts'
import type { DriveFile } from './wire.ts'

/** Converts a file to an item of a page. */
export function toSeenFile(file: DriveFile, place: string, reads?: ReadOptions): SeenItem {
  const way = chooseConversion(file)
  const seen = { id: file.id, version: computeFileVersion(file, reads), place, title: file.name }
  return way.by === 'nothing' ? { ...seen, skipped: way.why } : seen
}

/**
 * Computes a version that changes if text or title may have changed. Files with bytes have a checksum, or else a
 * revision. Native documents have neither: their `version` increases with each change, even an invisible one, and
 * `modifiedTime` with each edit. A comment changes neither bytes nor `modifiedTime`, so with comments the version of
 * all files is that of native documents.
 */
export function computeFileVersion(
  { md5Checksum, headRevisionId, version = '', modifiedTime = '', name, mimeType }: DriveFile,
  reads?: ReadOptions
): string {
  const native = [version, modifiedTime]
  const bytes = reads?.comments ? ['comments', ...native] : (md5Checksum ?? headRevisionId ?? native)
  return createHash('sha256')
    .update(JSON.stringify([bytes, name, mimeType]))
    .digest('base64url')
    .slice(0, 22)
}

/** How a file becomes text: by a download, by an export in the first available format, or not at all. */
export type Conversion =
  | { by: 'download'; type: DocumentType }
  | { by: 'export'; forms: readonly (readonly [mimeType: string, type: DocumentType])[] }
  | { by: 'nothing'; why: string }

/** Chooses the conversion of a file. `why` is half a sentence. */
export function chooseConversion(file: DriveFile): Conversion {
  const forms = EXPORTS.get(file.mimeType)
  if (forms === undefined && file.mimeType.startsWith(GOOGLE))
    return { by: 'nothing', why: explainUnexported(file.mimeType) }
  const choice = forms === undefined ? chooseDocumentType(file) : undefined
  if (choice !== undefined && 'skipped' in choice) return { by: 'nothing', why: choice.skipped }
  if (file.capabilities?.canDownload === false) return { by: 'nothing', why: 'its owner does not allow downloads' }
  if (choice === undefined) return { by: 'export', forms: forms ?? [] }
  if (Number(file.size ?? 0) > FILE_BYTES_MAX)
    return { by: 'nothing', why: `it is larger than ${FILE_BYTES_MAX / 2 ** 20} MiB` }
  return { by: 'download', type: choice.type }
}

const GOOGLE = 'application/vnd.google-apps.'
const OFFICE = 'application/vnd.openxmlformats-officedocument.'

/** https://developers.google.com/workspace/drive/api/guides/ref-export-formats. Older accounts lack Markdown. */
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

function explainUnexported(mimeType: string): string {
  return `a Google ${mimeType.slice(GOOGLE.length).slice(0, 40)} has no text to export`
}
