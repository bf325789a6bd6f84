import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { SandboxCall } from '../core/sandbox-provider.ts'
import {
  type DriveContent,
  type DriveNode,
  FOLDER_TYPE,
  getChildren,
  getContent,
  isTrashed,
  OWN_LOG
} from './content.ts'
import { googleError, invalidValue } from './errors.ts'
import { fileResource, partialReply, readPageSize, USUAL_FIELDS } from './views.ts'

/**
 * Implements `drive.files.list`, ordered by `orderBy` and then by id. A page begins after the last file of the previous
 * one, even if that no longer exists.
 */
export function listFiles(call: SandboxCall): Response {
  const { account, query } = call
  const content = getContent(account)
  const q = query.get('q') ?? ''
  const asked = q === '' ? EVERYTHING : readQuery(q)
  if (asked === undefined) return invalidValue('q')
  const size = readPageSize(query, { usual: 100, most: 1000 })
  if (size === undefined) return invalidValue('pageSize')
  const order = readOrder(query.get('orderBy') ?? '')
  if (order === undefined) return invalidValue('orderBy')
  const corpus = checkCorpus(query)
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

  const found = behind(findMatching(call, asked), order, after)
  const files = found.slice(0, size).map((node) => fileResource(content, node))
  const last = found[size - 1]
  const repeated = call.fault('repeat_cursor') !== undefined
  const next = repeated
    ? (token ?? writePageToken(question, ''))
    : found.length > size && last !== undefined
      ? writePageToken(question, JSON.stringify(toPlaced(last)))
      : undefined
  const reply = { kind: 'drive#fileList', incompleteSearch: false, ...(next && { nextPageToken: next }), files }
  return partialReply(query, reply, `kind,incompleteSearch,nextPageToken,files(${USUAL_FIELDS})`)
}

const EVERYTHING: FileQuery = { candidates: () => undefined, matches: () => true }

function findMatching(call: SandboxCall, asked: FileQuery): DriveNode[] {
  const content = getContent(call.account)
  const hidden = findLagging(content, call.fault('lag')?.value ?? 0)
  const ids = asked.candidates(content) ?? content.nodes.keys()
  const nodes = [...ids].flatMap((id) => content.nodes.get(id) ?? [])
  return nodes
    .filter((node) => isInCorpus(call.query, node) && !hidden.has(node.id) && asked.matches(content, node))
    .filter(({ id }) => id !== content.root && !content.drives.has(id))
}

/** Returns the sorted files after a place, or all of them. */
function behind(nodes: readonly DriveNode[], order: Order, after: string): DriveNode[] {
  const place = after === '' ? undefined : (JSON.parse(after) as Placed)
  return nodes
    .map((node) => ({ node, at: toPlaced(node) }))
    .filter(({ at }) => place === undefined || order(at, place) > 0)
    .sort((a, b) => order(a.at, b.at))
    .map(({ node }) => node)
}

/**
 * Checks that `driveId` is set if and only if the corpus is `drive`:
 * https://developers.google.com/workspace/drive/api/guides/enable-shareddrives.
 */
function checkCorpus(query: URLSearchParams): Response | undefined {
  const corpora = query.get('corpora') ?? 'user'
  if (!['user', 'domain', 'drive', 'allDrives'].includes(corpora)) return invalidValue('corpora')
  if ((corpora === 'drive') !== query.has('driveId')) return invalidValue('driveId')
  const isWide = corpora === 'drive' || corpora === 'allDrives'
  const isAllowed = ['supportsAllDrives', 'includeItemsFromAllDrives'].every((name) => query.get(name) === 'true')
  return isWide && !isAllowed ? invalidValue('includeItemsFromAllDrives') : undefined
}

/** Returns the files with the latest changes, which a lagging listing omits. */
function findLagging({ logs }: DriveContent, count: number): Set<string> {
  const changed = logs.get(OWN_LOG)?.changed ?? []
  return new Set(count === 0 ? [] : changed.slice(-count).map(({ id }) => id))
}

/** Reports whether a file is in the requested corpus. Shared drives must be requested. */
function isInCorpus(query: URLSearchParams, { driveId }: DriveNode): boolean {
  if (query.has('driveId')) return driveId === query.get('driveId')
  return (
    driveId === undefined || (query.get('corpora') === 'allDrives' && query.get('includeItemsFromAllDrives') === 'true')
  )
}

/** The values that determine a file's place in a list. A listing can continue after a file that was deleted. */
type Placed = Pick<DriveNode, 'id' | 'name' | 'mimeType' | 'createdAt' | 'modifiedAt'> & { size: number }

type Order = (a: Placed, b: Placed) => number

/**
 * Parses `orderBy` (https://developers.google.com/workspace/drive/api/reference/rest/v3/files/list): comma-separated
 * keys, each optionally followed by ` desc`. Files that are equal by all keys are ordered by id. Returns undefined for
 * an unknown key.
 */
function readOrder(text: string): Order | undefined {
  const orders: Order[] = []
  for (const part of text === '' ? [] : text.split(',')) {
    const [, key = '', desc] = /^\s*(\w+)(\s+desc)?\s*$/.exec(part) ?? []
    const order = Object.hasOwn(ORDERS, key) ? ORDERS[key] : undefined
    if (order === undefined) return undefined
    orders.push(desc === undefined ? order : (a, b) => order(b, a))
  }
  const all = [...orders, by(({ id }) => id)]
  return (a, b) => all.map((order) => order(a, b)).find((found) => found !== 0) ?? 0
}

/** Returns the place of a file. */
function toPlaced({ id, name, mimeType, createdAt, modifiedAt, bytes, size }: DriveNode): Placed {
  return { id, name, mimeType, createdAt, modifiedAt, size: size ?? bytes.length }
}

/** The order by keys that all files share here: none was opened, starred or shared. */
const ALIKE: Order = () => 0
const NATURAL = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

const ORDERS: Readonly<Record<string, Order>> = {
  createdTime: by(({ createdAt }) => createdAt),
  folder: by(({ mimeType }) => (mimeType === FOLDER_TYPE ? 0 : 1)),
  modifiedByMeTime: by(({ modifiedAt }) => modifiedAt),
  modifiedTime: by(({ modifiedAt }) => modifiedAt),
  name: by(({ name }) => name.toLowerCase()),
  name_natural: (a, b) => NATURAL.compare(a.name, b.name),
  quotaBytesUsed: by(({ size }) => size),
  recency: by(({ modifiedAt }) => modifiedAt),
  sharedWithMeTime: ALIKE,
  starred: ALIKE,
  viewedByMeTime: ALIKE
}

function by(value: (of: Placed) => string | number): Order {
  return (a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0)
}

/** Builds a page token: the place to continue, and a digest of the query that it belongs to. */
function writePageToken(question: string, after: string): string {
  return Buffer.from(JSON.stringify([digestQuestion(question), after])).toString('base64url')
}

/** Parses a page token and returns the place after which it continues, or undefined if it belongs to another query. */
function readPageToken(question: string, token: string): string | undefined {
  try {
    const [digest, after] = JSON.parse(Buffer.from(token, 'base64url').toString()) as unknown[]
    return digest === digestQuestion(question) && typeof after === 'string' ? after : undefined
  } catch {
    return undefined
  }
}

function digestQuestion(question: string): string {
  return createHash('sha256').update(question).digest('base64url').slice(0, 12)
}

/** A parsed query: its candidates, if there are few, and its condition. */
type FileQuery = {
  candidates(content: DriveContent): Set<string> | undefined
  matches(content: DriveContent, node: DriveNode): boolean
}

/**
 * Parses the part of the query language that reading programs need
 * (https://developers.google.com/workspace/drive/api/guides/ref-search-terms). Returns undefined for anything else,
 * which is refused.
 */
function readQuery(text: string): FileQuery | undefined {
  const words = text.match(/'(?:\\.|[^'\\])*'|!=|=|\(|\)|[A-Za-z]+/g) ?? []
  const plain = (letters: string) => letters.replace(/\s/g, '')
  if (plain(words.join('')) !== plain(text)) return undefined
  const reader = { words, at: 0 }
  const query = readEither(reader)
  return reader.at === words.length ? query : undefined
}

type Reader = { words: string[]; at: number }

function readEither(reader: Reader): FileQuery | undefined {
  const all = readChain(reader, { word: 'or', read: readBoth })
  if (all === undefined || all.length === 1) return all?.[0]
  return {
    candidates(content) {
      const found = all.map((one) => one.candidates(content))
      return found.every((set) => set !== undefined) ? new Set(found.flatMap((set) => [...set])) : undefined
    },
    matches: (content, node) => all.some((one) => one.matches(content, node))
  }
}

function readBoth(reader: Reader): FileQuery | undefined {
  const all = readChain(reader, { word: 'and', read: readTerm })
  if (all === undefined || all.length === 1) return all?.[0]
  return {
    candidates: (content) => all.map((one) => one.candidates(content)).find((set) => set !== undefined),
    matches: (content, node) => all.every((one) => one.matches(content, node))
  }
}

function readChain(
  reader: Reader,
  { word, read }: { word: string; read: (reader: Reader) => FileQuery | undefined }
): FileQuery[] | undefined {
  const all: FileQuery[] = []
  for (;;) {
    const one = read(reader)
    if (one === undefined) return undefined
    all.push(one)
    if (reader.words[reader.at]?.toLowerCase() !== word) return all
    reader.at += 1
  }
}

function readTerm(reader: Reader): FileQuery | undefined {
  if (reader.words[reader.at] !== '(') return readComparison(reader)
  reader.at += 1
  const inner = readEither(reader)
  if (reader.words[reader.at] !== ')') return undefined
  reader.at += 1
  return inner
}

function readComparison(reader: Reader): FileQuery | undefined {
  const [left = '', operator = '', right = ''] = reader.words.slice(reader.at, reader.at + 3)
  reader.at += 3
  if (left.startsWith("'") && operator === 'in' && right === 'parents') return inParents(unquoteText(left))
  return COMPARISONS[`${left} ${operator}`]?.(right.startsWith("'") ? unquoteText(right) : right)
}

function inParents(id: string): FileQuery {
  const idIn = (content: DriveContent) => (id === 'root' ? content.root : id)
  return {
    candidates: (content) => getChildren(content, idIn(content)),
    matches: (content, node) => node.parent === idIn(content)
  }
}

const COMPARISONS: Readonly<Record<string, (value: string) => FileQuery | undefined>> = {
  'mimeType =': (value) => test((_, node) => node.mimeType === value),
  'mimeType !=': (value) => test((_, node) => node.mimeType !== value),
  'name =': (value) => test((_, node) => node.name === value),
  'name contains': (value) => test((_, node) => node.name.toLowerCase().includes(value.toLowerCase())),
  'trashed =': (value) => test((content, node) => String(isTrashed(content, node)) === value),
  'sharedWithMe =': (value) => test((content, node) => String(isShared(content, node)) === value)
}

function test(matches: FileQuery['matches']): FileQuery {
  return { candidates: () => undefined, matches }
}

function isShared({ root }: DriveContent, { id, parent, driveId }: DriveNode): boolean {
  return id !== root && parent === undefined && driveId === undefined
}

function unquoteText(quoted: string): string {
  return quoted.slice(1, -1).replace(/\\(.)/g, '$1')
}
