import type { StandInCall } from '../stand-in.ts'
import { contentOf, type DriveContent, type DriveNode, OWN_LOG } from './content.ts'
import { type FileQuery, readQuery } from './file-query.ts'
import { fileResource, USUAL_FIELDS } from './file-resource.ts'
import { googleError, invalidValue } from './google-error.ts'
import { type Order, type Placed, placeOf, readOrder } from './order-by.ts'
import { pageToken, readPageToken } from './page-token.ts'
import { partial, sizeOf } from './partial.ts'

/** `drive.files.list`: by `orderBy` and then by id. A page begins behind the last file of the one before, whether that is still there or not. */
export function listFiles(call: StandInCall): Response {
  const { account, query } = call
  const content = contentOf(account)
  const q = query.get('q') ?? ''
  const asked = q === '' ? EVERYTHING : readQuery(q)
  if (asked === undefined) return invalidValue('q')
  const size = sizeOf(query, { usual: 100, most: 1000 })
  if (size === undefined) return invalidValue('pageSize')
  const order = readOrder(query.get('orderBy') ?? '')
  if (order === undefined) return invalidValue('orderBy')
  const corpus = refusedCorpus(query)
  if (corpus !== undefined) return corpus
  const drive = query.get('driveId') ?? undefined
  if (drive !== undefined && !content.drives.has(drive))
    return googleError({
      status: 404,
      reason: 'notFound',
      message: `Shared drive not found: ${drive}`,
      parameter: 'driveId'
    })
  const question = `${q} ${drive} ${query.get('corpora')} ${query.get('orderBy')}`
  const token = query.get('pageToken')
  const after = token === null ? '' : readPageToken(question, token)
  if (after === undefined) return invalidValue('pageToken')

  const found = behind(matching(call, asked), order, after)
  const files = found.slice(0, size).map((node) => fileResource(content, node))
  const last = found[size - 1]
  const repeated = call.fault('repeat_cursor') !== undefined
  const next = repeated
    ? (token ?? pageToken(question, ''))
    : found.length > size && last !== undefined
      ? pageToken(question, JSON.stringify(placeOf(last)))
      : undefined
  const reply = { kind: 'drive#fileList', incompleteSearch: false, ...(next && { nextPageToken: next }), files }
  return partial(query, reply, `kind,incompleteSearch,nextPageToken,files(${USUAL_FIELDS})`)
}

const EVERYTHING: FileQuery = { candidates: () => undefined, matches: () => true }

function matching(call: StandInCall, asked: FileQuery): DriveNode[] {
  const content = contentOf(call.account)
  const hidden = lagging(content, call.fault('lag')?.value ?? 0)
  const ids = asked.candidates(content) ?? content.nodes.keys()
  const nodes = [...ids].flatMap((id) => content.nodes.get(id) ?? [])
  return nodes
    .filter((node) => isInCorpus(call.query, node) && !hidden.has(node.id) && asked.matches(content, node))
    .filter(({ id }) => id !== content.root && !content.drives.has(id))
}

/** Files in their order behind a place, or all of them. */
function behind(nodes: readonly DriveNode[], order: Order, after: string): DriveNode[] {
  const place = after === '' ? undefined : (JSON.parse(after) as Placed)
  return nodes
    .map((node) => ({ node, at: placeOf(node) }))
    .filter(({ at }) => place === undefined || order(at, place) > 0)
    .sort((a, b) => order(a.at, b.at))
    .map(({ node }) => node)
}

/** https://developers.google.com/workspace/drive/api/guides/enable-shareddrives: `driveId` belongs to the corpus `drive`, and that to it. */
function refusedCorpus(query: URLSearchParams): Response | undefined {
  const corpora = query.get('corpora') ?? 'user'
  if (!['user', 'domain', 'drive', 'allDrives'].includes(corpora)) return invalidValue('corpora')
  if ((corpora === 'drive') !== query.has('driveId')) return invalidValue('driveId')
  const isWide = corpora === 'drive' || corpora === 'allDrives'
  const isAllowed = ['supportsAllDrives', 'includeItemsFromAllDrives'].every((name) => query.get(name) === 'true')
  return isWide && !isAllowed ? invalidValue('includeItemsFromAllDrives') : undefined
}

/** What has changed last, which a listing that lags does not know yet. */
function lagging({ logs }: DriveContent, count: number): Set<string> {
  const changed = logs.get(OWN_LOG)?.changed ?? []
  return new Set(count === 0 ? [] : changed.slice(-count).map(({ id }) => id))
}

/** Shared drives show only to those who ask for them. */
function isInCorpus(query: URLSearchParams, { driveId }: DriveNode): boolean {
  if (query.has('driveId')) return driveId === query.get('driveId')
  return (
    driveId === undefined || (query.get('corpora') === 'allDrives' && query.get('includeItemsFromAllDrives') === 'true')
  )
}
