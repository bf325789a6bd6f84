import { Buffer } from 'node:buffer'
import type { SandboxCall } from '../core/sandbox-provider.ts'
import { type DriveNode, getContent } from './content.ts'
import { fileNotFound, googleError } from './errors.ts'
import { makeXlsx } from './make-files.ts'
import { fileResource, partialReply, streamRepeated, USUAL_FIELDS } from './views.ts'

/** Drive's limit of an export, in bytes (https://developers.google.com/workspace/drive/api/guides/limits). */
const EXPORT_BYTES_MAX = 10 * 1024 * 1024
const NATIVE = 'application/vnd.google-apps.'
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Implements `drive.files.get`, with `alt=media` for the bytes of the file. */
export function getFile({ account, params, query }: SandboxCall): Response {
  const content = getContent(account)
  const id = params.fileId === 'root' ? content.root : (params.fileId ?? '')
  const node = content.nodes.get(id)
  if (node === undefined || (node.driveId !== undefined && query.get('supportsAllDrives') !== 'true'))
    return fileNotFound(id)
  return query.get('alt') === 'media' ? media(node) : partialReply(query, fileResource(content, node), USUAL_FIELDS)
}

function media({ mimeType, downloadable, abusive, bytes, size }: DriveNode): Response {
  if (mimeType.startsWith(NATIVE))
    return forbidden(
      'fileNotDownloadable',
      'Only files with binary content can be downloaded. Use Export with Docs Editors files.'
    )
  if (abusive)
    return forbidden(
      'cannotDownloadAbusiveFile',
      'This file has been identified as malware or spam and cannot be downloaded.'
    )
  if (!downloadable) return forbidden('cannotDownloadFile', 'This file cannot be downloaded by the user.')
  const body = size === undefined ? Buffer.from(bytes) : streamRepeated(bytes, size)
  const headers = { 'content-type': mimeType, 'content-length': String(size ?? bytes.length) }
  return new Response(body, { headers })
}

/** Implements `drive.files.export`. */
export function exportFile({ account, params, query }: SandboxCall): Response {
  const node = getContent(account).nodes.get(params.fileId ?? '')
  if (node === undefined) return fileNotFound(params.fileId ?? '')
  const forms = EXPORTS.get(node.mimeType)
  if (forms === undefined) return forbidden('fileNotExportable', 'Export only supports Docs Editors files.')
  if (!node.downloadable) return forbidden('cannotExportFile', 'This file cannot be exported by the user.')
  const mimeType = query.get('mimeType') ?? ''
  const make = forms.get(mimeType)
  if (make === undefined)
    return googleError({
      status: 400,
      reason: 'badRequest',
      message: 'The requested conversion is not supported.',
      parameter: 'convertTo'
    })
  const made = make(Buffer.from(node.bytes).toString())
  if ((node.size ?? made.length) > EXPORT_BYTES_MAX)
    return forbidden('exportSizeLimitExceeded', 'This file is too large to be exported.')
  return new Response(Buffer.from(made), { headers: { 'content-type': mimeType } })
}

type Make = (text: string) => Uint8Array

/** Exports by native type. Documents are stored as Markdown, sheets as CSV, slides as text. */
const EXPORTS: ReadonlyMap<string, ReadonlyMap<string, Make>> = new Map([
  [
    `${NATIVE}document`,
    new Map<string, Make>([
      ['text/markdown', (text) => Buffer.from(text)],
      ['text/plain', (text) => Buffer.from(text.replace(/^#+ |\*\*/gm, ''))]
    ])
  ],
  [
    `${NATIVE}spreadsheet`,
    new Map<string, Make>([
      ['text/csv', (text) => Buffer.from(text)],
      [XLSX, (text) => makeXlsx(parseRows(text))]
    ])
  ],
  [`${NATIVE}presentation`, new Map<string, Make>([['text/plain', (text) => Buffer.from(text)]])]
])

function parseRows(csv: string): string[][] {
  return csv
    .trim()
    .split('\n')
    .map((line) => line.split(','))
}

function forbidden(reason: string, message: string): Response {
  return googleError({ status: 403, reason, message })
}
