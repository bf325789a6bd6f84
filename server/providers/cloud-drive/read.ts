import type { DocumentText } from '../documents.ts'
import type { Replied } from '../http/ask.ts'
import type { ItemContent, SyncCall } from '../provider.ts'
import { ProviderFailure } from '../provider-failure.ts'
import { askBytes, askPlain, bytesOf, standsIn } from './ask-drive.ts'
import { failureOf } from './failure-of.ts'
import { fileOf, pathOf } from './file-of.ts'
import { FILE_BYTES_MAX, type Way, wayOf } from './file-types.ts'
import { versionOf } from './seen-file.ts'
import { unlikeExport, unlikeFile } from './unlike.ts'
import type { DriveFile } from './wire.ts'

/** The text of a file as it is now, as one part. */
export async function read(call: SyncCall, itemId: string): Promise<ItemContent> {
  const file = await fileOf(call, itemId)
  if (file.trashed) throw new ProviderFailure('item_gone', 'it is in the trash')
  const { text, title, cut } = await textOf(call, file, wayOf(file))
  const at = Date.parse(file.modifiedTime ?? '')
  const name = file.name.trim() || title
  return {
    id: file.id,
    version: versionOf(file),
    ...(name && { title: name }),
    ...(file.webViewLink && { url: file.webViewLink }),
    parts: [{ text, ...(!Number.isNaN(at) && { at }) }],
    ...(cut && { cut: 'only its beginning is read: it has more text, pages, rows or levels than are taken' })
  }
}

const CONTENT = { what: 'the content of the file', subject: 'item', bytesMax: FILE_BYTES_MAX } as const

async function textOf(call: SyncCall, file: DriveFile, way: Way): Promise<DocumentText> {
  if (way.by === 'nothing') throw new ProviderFailure('item_permanent', way.why)
  if (way.by === 'export') return exported(call, file.id, way.forms)
  const query = { alt: 'media', supportsAllDrives: true }
  const asked = { ...CONTENT, path: pathOf(file.id), query }
  const bytes = await askBytes(call, asked)
  const unlike = unlikeFile(bytes, file)
  if (unlike !== undefined) throw standsIn(asked, unlike)
  return call.documents.textOf(bytes, way.type, call.signal)
}

/** In the first form that is to be had: Drive refuses those that it does not offer with 400. */
async function exported(call: SyncCall, id: string, forms: Extract<Way, { by: 'export' }>['forms']) {
  for (const [place, [mimeType, type]] of forms.entries()) {
    const asked = { ...CONTENT, path: `${pathOf(id)}/export`, query: { mimeType } }
    const replied = await askPlain(call, asked)
    if (place + 1 < forms.length && isNoForm(replied, asked)) continue
    const bytes = bytesOf(asked, replied)
    const unlike = unlikeExport(replied.headers, mimeType)
    if (unlike !== undefined) throw standsIn(asked, unlike)
    return call.documents.textOf(bytes, type, call.signal)
  }
  throw new ProviderFailure('item_permanent', 'it cannot be exported')
}

/** Drive's own word that it has not this form, and not that of a proxy. */
function isNoForm(replied: Replied, asked: typeof CONTENT): boolean {
  return replied.status === 400 && failureOf(replied, asked)?.kind === 'item_permanent'
}
