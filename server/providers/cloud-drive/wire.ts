import * as z from 'zod'

/** The members of replies that are used, by the discovery document of Drive v3. Other members are allowed. */

export const FOLDER_TYPE = 'application/vnd.google-apps.folder'
export const SHORTCUT_TYPE = 'application/vnd.google-apps.shortcut'

/** Ids are letters, digits, `-` and `_`. Characters that could split a path or a ledger key are refused. */
const Id = z.string().regex(/^[^:/\s]{1,500}$/)

export const DriveFile = z.looseObject({
  id: Id,
  name: z.string(),
  mimeType: z.string(),
  parents: z.array(Id).optional(),
  driveId: Id.optional(),
  trashed: z.boolean().optional(),
  /** Decimal digits. Absent for folders, shortcuts and native documents. */
  size: z.string().optional(),
  md5Checksum: z.string().optional(),
  sha256Checksum: z.string().optional(),
  headRevisionId: z.string().optional(),
  version: z.string().optional(),
  modifiedTime: z.string().optional(),
  webViewLink: z.string().optional(),
  fileExtension: z.string().optional(),
  capabilities: z.looseObject({ canDownload: z.boolean().optional() }).optional(),
  shortcutDetails: z.looseObject({ targetId: Id.optional(), targetMimeType: z.string().optional() }).optional()
})

export type DriveFile = z.infer<typeof DriveFile>

/** The fields requested for each file: all members of `DriveFile`. */
export const FILE_FIELDS =
  'id,name,mimeType,parents,driveId,trashed,size,md5Checksum,sha256Checksum,headRevisionId,version,modifiedTime,webViewLink,fileExtension,capabilities(canDownload),shortcutDetails(targetId,targetMimeType)'

export const FileList = z.looseObject({
  files: z.array(DriveFile),
  nextPageToken: z.string().min(1).optional(),
  incompleteSearch: z.boolean().optional()
})

export const ParentList = z.looseObject({
  files: z.array(z.looseObject({ parents: z.array(z.string()).optional() })),
  nextPageToken: z.string().min(1).optional()
})

const Change = z.looseObject({
  changeType: z.string().optional(),
  removed: z.boolean().optional(),
  fileId: Id.optional(),
  driveId: Id.optional(),
  file: DriveFile.optional()
})

export type Change = z.infer<typeof Change>

export const ChangeList = z.looseObject({
  changes: z.array(Change),
  nextPageToken: z.string().min(1).optional(),
  newStartPageToken: z.string().min(1).optional()
})

export const StartPageToken = z.looseObject({ startPageToken: z.string().min(1) })

export const About = z.looseObject({
  user: z.looseObject({
    permissionId: z.string().min(1),
    emailAddress: z.string().optional(),
    displayName: z.string().optional()
  })
})

export const DriveList = z.looseObject({
  drives: z.array(z.looseObject({ id: Id, name: z.string() })),
  nextPageToken: z.string().min(1).optional()
})

export const Refusal = z.looseObject({
  error: z.looseObject({
    message: z.string().optional(),
    errors: z.array(z.looseObject({ reason: z.string().optional(), location: z.string().optional() })).optional()
  })
})
