import { ProviderFailure } from '../provider-failure.ts'
import { unlessGone } from '../unless-gone.ts'
import { arrange, leave } from './arrange.ts'
import { ALL_DRIVES, askDrive, corpusOf, quoted } from './ask-drive.ts'
import { fileOf } from './file-of.ts'
import { seenFile } from './seen-file.ts'
import { see, type Tree, takeTodo } from './tree.ts'
import { type DriveFile, FILE_FIELDS, FileList, FOLDER_TYPE, SHORTCUT_TYPE } from './wire.ts'

/** A page of ours ends after so many requests or items. */
const REQUESTS_MAX = 20
const ITEMS_MAX = 500
/** The most that Drive gives at once (discovery document). */
const LISTING_MAX = 1000
/** Of one folder: a listing that has still not ended is broken, as is one whose page tokens are refused each time. */
const PAGES_MAX = 10_000
const RESTARTS_MAX = 3

/** Works off what waits: folders are listed, single files looked at. */
export async function listFolders(tree: Tree): Promise<void> {
  for (let count = 0; count < REQUESTS_MAX && tree.seen.size < ITEMS_MAX; count += 1) {
    if (tree.state.at !== undefined) {
      await listOnce(tree, tree.state.at)
      continue
    }
    const next = await takeTodo(tree)
    if (next === undefined) return
    if (next.do === 'look') await look(tree, next.id)
    else tree.state.at = { folder: next.id, token: '', pages: 0, restarts: 0, ...(next.drive && { drive: next.drive }) }
  }
}

async function look(tree: Tree, id: string): Promise<void> {
  const file = await unlessGone(fileOf(tree.call, id))
  // Drive knows some places by a second name, as `root`, under which nothing is listed.
  if (file === undefined || file.id !== id) await leave(tree, id)
  else await arrange(tree, file)
}

type Place = NonNullable<Tree['state']['at']>

/** One page of a folder. */
async function listOnce(tree: Tree, at: Place): Promise<void> {
  tree.state.at = undefined
  // It may have left while its pages were read.
  if ((await tree.table.get(`folder:${at.folder}`)) === undefined) return
  const reply = await unlessGone(asked(tree, at)).catch((error: unknown) => {
    if (!isStaleToken(error, at)) throw error
    return 'stale' as const
  })
  if (reply === undefined) return leave(tree, at.folder)
  if (reply === 'stale') {
    tree.state.at = { ...at, token: '', pages: 0, restarts: at.restarts + 1 }
    return
  }
  if (reply.incompleteSearch) throw new ProviderFailure('transient', 'Drive could not search everything just now')
  for (const file of reply.files) await arrangeChild(tree, file, at.folder)
  if (reply.nextPageToken === undefined) return
  if (reply.nextPageToken === at.token || at.pages >= PAGES_MAX)
    throw new ProviderFailure('contract_broken', 'the listing of a folder does not end')
  tree.state.at = { ...at, token: reply.nextPageToken, pages: at.pages + 1 }
}

function asked({ call }: Tree, { folder, drive, token }: Place) {
  const q = `${quoted(folder)} in parents and trashed = false`
  const fields = `nextPageToken,incompleteSearch,files(${FILE_FIELDS})`
  const page = { pageSize: LISTING_MAX, pageToken: token === '' ? undefined : token }
  const query = { ...ALL_DRIVES, ...corpusOf(drive), ...page, q, fields }
  return askDrive(call, { path: '/files', query, reply: FileList, what: 'the list of files' })
}

/** Files need nothing of the ledger: whoever holds them is listed just now. */
function arrangeChild(tree: Tree, file: DriveFile, folder: string): Promise<void> | void {
  if (file.mimeType === FOLDER_TYPE || file.mimeType === SHORTCUT_TYPE)
    return arrange(tree, { ...file, parents: [folder] })
  if (!file.trashed) see(tree, seenFile(file, folder))
}

function isStaleToken(error: unknown, { token, restarts }: Place): boolean {
  const isStale = error instanceof ProviderFailure && error.kind === 'cursor_invalid'
  return isStale && token !== '' && restarts < RESTARTS_MAX
}
