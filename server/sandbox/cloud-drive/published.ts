import { type PublishedApi, readPublished } from '../google/published-api.ts'

/**
 * Google's published description of these operations of Drive v3: query parameters, and reply members that `fields` may
 * select. Source: https://www.googleapis.com/discovery/v1/apis/drive/v3/rest, revision 20260916.
 */
export const PUBLISHED: PublishedApi = readPublished({
  standard:
    '$.xgafv access_token alt callback fields key oauth_token prettyPrint:boolean quotaUser uploadType upload_protocol',
  operations: {
    'drive.about.get': { query: '', reply: 'About' },
    'drive.files.list': {
      query: `
    corpora corpus driveId includeItemsFromAllDrives:boolean includeLabels includePermissionsForView
    includeTeamDriveItems:boolean orderBy pageSize:integer pageToken q spaces supportsAllDrives:boolean
    supportsTeamDrives:boolean teamDriveId
    `,
      reply: 'FileList'
    },
    'drive.files.get': {
      query: `
    acknowledgeAbuse:boolean includeLabels includePermissionsForView supportsAllDrives:boolean
    supportsTeamDrives:boolean
    `,
      reply: 'File'
    },
    'drive.files.export': { query: 'mimeType' },
    'drive.comments.list': {
      query: 'includeDeleted:boolean pageSize:integer pageToken startModifiedTime',
      reply: 'CommentList'
    },
    'drive.changes.list': {
      query: `
    driveId includeCorpusRemovals:boolean includeItemsFromAllDrives:boolean includeLabels
    includePermissionsForView includeRemoved:boolean includeTeamDriveItems:boolean pageSize:integer pageToken
    restrictToMyDrive:boolean spaces supportsAllDrives:boolean supportsTeamDrives:boolean teamDriveId
    `,
      reply: 'ChangeList'
    },
    'drive.changes.getStartPageToken': {
      query: `
    driveId supportsAllDrives:boolean supportsTeamDrives:boolean teamDriveId
    `,
      reply: 'StartPageToken'
    },
    'drive.drives.list': { query: 'pageSize:integer pageToken q useDomainAdminAccess:boolean', reply: 'DriveList' },
    'drive.drives.get': { query: 'useDomainAdminAccess:boolean', reply: 'Drive' }
  },
  schemas: {
    About: `
    appInstalled canCreateDrives canCreateTeamDrives driveThemes:About.driveThemes exportFormats:*
    folderColorPalette importFormats:* kind maxImportSizes:* maxUploadSize storageQuota:About.storageQuota
    teamDriveThemes:About.teamDriveThemes user:User
    `,
    'About.driveThemes': 'backgroundImageLink colorRgb id',
    'About.storageQuota': 'limit usage usageInDrive usageInDriveTrash',
    'About.teamDriveThemes': 'backgroundImageLink colorRgb id',
    Change: `
    changeType drive:Drive driveId file:File fileId kind removed teamDrive:TeamDrive teamDriveId time type
    `,
    ChangeList: 'changes:Change kind newStartPageToken nextPageToken',
    ClientEncryptionDetails: 'decryptionMetadata:DecryptionMetadata encryptionState',
    Comment: `
    anchor assigneeEmailAddress author:User content createdTime deleted htmlContent id kind
    mentionedEmailAddresses modifiedTime quotedFileContent:Comment.quotedFileContent replies:Reply resolved
    `,
    'Comment.quotedFileContent': 'mimeType value',
    CommentList: 'comments:Comment kind nextPageToken',
    ContentRestriction: `
    ownerRestricted readOnly reason restrictingUser:User restrictionTime systemRestricted type
    `,
    DecryptionMetadata: 'aes256GcmChunkSize encryptionResourceKeyHash jwt kaclsId kaclsName keyFormat wrappedKey',
    DownloadRestriction: 'restrictedForReaders restrictedForWriters',
    DownloadRestrictionsMetadata: `
    effectiveDownloadRestrictionWithContext:DownloadRestriction itemDownloadRestriction:DownloadRestriction
    `,
    Drive: `
    backgroundImageFile:Drive.backgroundImageFile backgroundImageLink capabilities:Drive.capabilities colorRgb
    createdTime hidden id kind name orgUnitId restrictions:Drive.restrictions themeId
    `,
    'Drive.backgroundImageFile': 'id width xCoordinate yCoordinate',
    'Drive.capabilities': `
    canAddChildren canChangeCopyRequiresWriterPermissionRestriction canChangeDomainUsersOnlyRestriction
    canChangeDownloadRestriction canChangeDriveBackground canChangeDriveMembersOnlyRestriction
    canChangeSharingFoldersRequiresOrganizerPermissionRestriction canComment canCopy canDeleteChildren
    canDeleteDrive canDownload canEdit canListChildren canManageMembers canReadRevisions canRename
    canRenameDrive canResetDriveRestrictions canShare canTrashChildren
    `,
    'Drive.restrictions': `
    adminManagedRestrictions copyRequiresWriterPermission domainUsersOnly
    downloadRestriction:DownloadRestriction driveMembersOnly sharingFoldersRequiresOrganizerPermission
    `,
    DriveList: 'drives:Drive kind nextPageToken',
    File: `
    appProperties:* capabilities:File.capabilities clientEncryptionDetails:ClientEncryptionDetails
    contentHints:File.contentHints contentRestrictions:ContentRestriction copyRequiresWriterPermission
    createdTime description downloadRestrictions:DownloadRestrictionsMetadata driveId explicitlyTrashed
    exportLinks:* fileExtension folderColorRgb fullFileExtension hasAugmentedPermissions hasThumbnail
    headRevisionId iconLink id imageMediaMetadata:File.imageMediaMetadata inheritedPermissionsDisabled
    isAppAuthorized kind labelInfo:File.labelInfo lastModifyingUser:User
    linkShareMetadata:File.linkShareMetadata md5Checksum mimeType modifiedByMe modifiedByMeTime modifiedTime
    name originalFilename ownedByMe owners:User parents permissionIds permissions:Permission properties:*
    quotaBytesUsed resourceKey sha1Checksum sha256Checksum shared sharedWithMeTime sharingUser:User
    shortcutDetails:File.shortcutDetails size spaces starred teamDriveId thumbnailLink thumbnailVersion
    trashed trashedTime trashingUser:User version videoMediaMetadata:File.videoMediaMetadata viewedByMe
    viewedByMeTime viewersCanCopyContent webContentLink webViewLink writersCanShare
    `,
    'File.capabilities': `
    canAcceptOwnership canAccessViaGenAi canAddChildren canAddFolderFromAnotherDrive canAddMyDriveParent
    canChangeCopyRequiresWriterPermission canChangeItemDownloadRestriction canChangeSecurityUpdateEnabled
    canChangeViewersCanCopyContent canComment canCopy canDelete canDeleteChildren
    canDisableInheritedPermissions canDownload canEdit canEnableInheritedPermissions canListChildren
    canModifyContent canModifyContentRestriction canModifyEditorContentRestriction canModifyLabels
    canModifyOwnerContentRestriction canMoveChildrenOutOfDrive canMoveChildrenOutOfTeamDrive
    canMoveChildrenWithinDrive canMoveChildrenWithinTeamDrive canMoveItemIntoTeamDrive canMoveItemOutOfDrive
    canMoveItemOutOfTeamDrive canMoveItemWithinDrive canMoveItemWithinTeamDrive canMoveTeamDriveItem
    canReadDrive canReadLabels canReadRevisions canReadTeamDrive canRemoveChildren canRemoveContentRestriction
    canRemoveMyDriveParent canRename canShare canStartApproval canTrash canTrashChildren canUntrash
    `,
    'File.contentHints': 'indexableText thumbnail:File.contentHints.thumbnail',
    'File.contentHints.thumbnail': 'image mimeType',
    'File.imageMediaMetadata': `
    aperture cameraMake cameraModel colorSpace exposureBias exposureMode exposureTime flashUsed focalLength
    height isoSpeed lens location:File.imageMediaMetadata.location maxApertureValue meteringMode rotation
    sensor subjectDistance time whiteBalance width
    `,
    'File.imageMediaMetadata.location': 'altitude latitude longitude',
    'File.labelInfo': 'labels:Label',
    'File.linkShareMetadata': 'securityUpdateEligible securityUpdateEnabled',
    'File.shortcutDetails': 'targetId targetMimeType targetResourceKey',
    'File.videoMediaMetadata': 'durationMillis height width',
    FileList: 'files:File incompleteSearch kind nextPageToken',
    Label: 'fields:* id kind revisionId',
    Permission: `
    allowFileDiscovery deleted displayName domain emailAddress expirationTime id inheritedPermissionsDisabled
    kind pendingOwner permissionDetails:Permission.permissionDetails photoLink role
    teamDrivePermissionDetails:Permission.teamDrivePermissionDetails type view
    `,
    'Permission.permissionDetails': 'inherited inheritedFrom permissionType role',
    'Permission.teamDrivePermissionDetails': 'inherited inheritedFrom role teamDrivePermissionType',
    Reply: `
    action assigneeEmailAddress author:User content createdTime deleted htmlContent id kind
    mentionedEmailAddresses modifiedTime
    `,
    StartPageToken: 'kind startPageToken',
    TeamDrive: `
    backgroundImageFile:TeamDrive.backgroundImageFile backgroundImageLink capabilities:TeamDrive.capabilities
    colorRgb createdTime id kind name orgUnitId restrictions:TeamDrive.restrictions themeId
    `,
    'TeamDrive.backgroundImageFile': 'id width xCoordinate yCoordinate',
    'TeamDrive.capabilities': `
    canAddChildren canChangeCopyRequiresWriterPermissionRestriction canChangeDomainUsersOnlyRestriction
    canChangeDownloadRestriction canChangeSharingFoldersRequiresOrganizerPermissionRestriction
    canChangeTeamDriveBackground canChangeTeamMembersOnlyRestriction canComment canCopy canDeleteChildren
    canDeleteTeamDrive canDownload canEdit canListChildren canManageMembers canReadRevisions canRemoveChildren
    canRename canRenameTeamDrive canResetTeamDriveRestrictions canShare canTrashChildren
    `,
    'TeamDrive.restrictions': `
    adminManagedRestrictions copyRequiresWriterPermission domainUsersOnly
    downloadRestriction:DownloadRestriction sharingFoldersRequiresOrganizerPermission teamMembersOnly
    `,
    User: 'displayName emailAddress kind me permissionId photoLink'
  }
})

/** https://developers.google.com/workspace/drive/api/guides/api-specific-auth */
export const SCOPES = {
  readonly: 'https://www.googleapis.com/auth/drive.readonly',
  metadata: 'https://www.googleapis.com/auth/drive.metadata.readonly'
} as const
