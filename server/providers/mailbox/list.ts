import type { Page, PageFrom, SyncCall } from '../provider.ts'
import { cursorText, listTokenOf } from './cursor.ts'
import { messageList } from './message-list.ts'

/** The next page of all messages that are wanted now, for a comparison with what is known. */
export async function list(call: SyncCall, { cursor }: PageFrom): Promise<Page> {
  const token = cursor === undefined ? undefined : listTokenOf(cursor)
  const { seen, next } = await messageList(call, token)
  const following = cursorText({ v: 1, step: 'list', ...(next !== undefined && { token: next }) })
  return { seen, gone: [], cursor: following, more: next !== undefined }
}
