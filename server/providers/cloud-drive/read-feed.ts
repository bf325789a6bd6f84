import { ProviderFailure } from '../provider-failure.ts'
import { unlessGone } from '../unless-gone.ts'
import { arrange, leave } from './arrange.ts'
import { ALL_DRIVES, askDrive } from './ask-drive.ts'
import { addTodo, type Tree } from './tree.ts'
import { type Change, ChangeList, FILE_FIELDS, FOLDER_TYPE } from './wire.ts'

const CHANGES_MAX = 500
/** Targets of shortcuts that are looked at again: of more, the next listing of everything tells. */
const TARGETS_MAX = 100

/** One page of the feed whose turn it is (https://developers.google.com/workspace/drive/api/guides/manage-changes). */
export async function readFeed(tree: Tree): Promise<void> {
  const { state } = tree
  const feed = state.feeds[state.turn]
  if (feed === undefined) {
    state.turn = state.feeds.length
    return
  }
  const reply = await pageOfFeed(tree, feed)
  if (reply === undefined) return dropDrive(tree)
  let isAbove = false
  for (const change of reply.changes) {
    isAbove ||= await maybeAbove(tree, change)
    await follow(tree, change)
  }
  if (isAbove) await lookAtRoots(tree)
  const next = reply.nextPageToken ?? reply.newStartPageToken
  if (next === undefined || reply.nextPageToken === feed.token)
    throw new ProviderFailure('contract_broken', 'the list of changes does not say where it goes on')
  feed.token = next
  if (reply.nextPageToken === undefined) state.turn += 1
}

type Feed = Tree['state']['feeds'][number]

/** Undefined where it is that of a shared drive that this account does not see any more. */
async function pageOfFeed({ call }: Tree, { drive, token }: Feed) {
  const fields = `nextPageToken,newStartPageToken,changes(changeType,removed,fileId,driveId,file(${FILE_FIELDS}))`
  const query = { ...ALL_DRIVES, pageToken: token, pageSize: CHANGES_MAX, includeRemoved: true, driveId: drive, fields }
  const asked = { path: '/changes', query, reply: ChangeList, what: 'the list of changes' }
  if (drive === undefined) return askDrive(call, { ...asked, subject: 'cursor' })
  return unlessGone(askDrive(call, { ...asked, subject: 'account' }))
}

async function follow(tree: Tree, { changeType, removed, fileId, driveId, file }: Change): Promise<void> {
  if (changeType === 'drive') {
    if (removed && driveId !== undefined) await leave(tree, driveId)
    return
  }
  const id = file?.id ?? fileId
  if (id === undefined) throw new ProviderFailure('contract_broken', 'a change does not say of which file it is')
  if (file !== undefined && !removed) return arrange(tree, file)
  // What left one feed may stand in another: then it has to be asked for.
  if (tree.state.feeds.length > 1 || !removed) addTodo(tree, { do: 'look', id })
  else await leave(tree, id)
}

/** Whatever could stand in the drive is looked at. */
async function dropDrive(tree: Tree): Promise<void> {
  tree.state.feeds.splice(tree.state.turn, 1)
  await lookAtRoots(tree)
}

/**
 * A folder that is not ours may be one above ours: what is below it gets into the trash and out of it, or is deleted, without a change of
 * its own.
 */
async function maybeAbove({ table }: Tree, { fileId, file, removed }: Change): Promise<boolean> {
  const id = file?.id ?? fileId ?? ''
  return (removed || file?.mimeType === FOLDER_TYPE) && (await table.get(`folder:${id}`)) === undefined
}

/** What the tree hangs on is looked at again: what was selected, and what shortcuts point to, as far as these are not too many. */
async function lookAtRoots(tree: Tree): Promise<void> {
  const pointers = [...(await tree.table.entries('pointer:')).keys()]
  const targets = new Set(pointers.map((key) => key.split(':')[1] ?? ''))
  const looked = targets.size > TARGETS_MAX ? tree.selection : new Set([...tree.selection, ...targets])
  for (const id of looked) addTodo(tree, { do: 'look', id })
}
