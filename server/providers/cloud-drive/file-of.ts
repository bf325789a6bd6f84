import type { ProviderCall } from '../provider.ts'
import { askDrive } from './ask-drive.ts'
import { DriveFile, FILE_FIELDS } from './wire.ts'

/** What is known of a file; `item_gone` where this account does not see it. */
export function fileOf(call: ProviderCall, id: string): Promise<DriveFile> {
  const query = { fields: FILE_FIELDS, supportsAllDrives: true }
  return askDrive(call, { path: pathOf(id), query, reply: DriveFile, what: 'the file', subject: 'item' })
}

/** Where a file is, behind the address of the API. */
export function pathOf(id: string): string {
  return `/files/${encodeURIComponent(id)}`
}
