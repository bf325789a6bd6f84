import { Fault } from '../../contract/faults.ts'
import { computeNativeId, createSeenIds, readSeconds, takeFiles } from '../lines/chat-message.ts'
import { isMembers, type JsonMembers, listMembers, readJsonLines, readJsonObjects } from '../lines/read-json.ts'
import { toLines } from '../lines/to-lines.ts'
import { parseZonedTime, type ZonedTime } from '../lines/zoned-time.ts'
import type { FileTree, TreeFile } from '../port/file-tree.ts'
import type { FieldMap, FormatFacts, Given, Item } from '../port/format.ts'

/** Any JSON or JSON Lines. It has no marker, because only the user knows which members are texts (`--map`). */
export const JSON_FACTS: FormatFacts = {
  id: 'json',
  name: 'JSON with a map of its members',
  markers: [],
  edits: 'none'
}

const HINT = "memctl device ingest FILE --map 'text=body,speaker=author.name,at=sent'"

/** What a member can be mapped to. `each` is the list of the items, if that is not the whole file. */
const FIELDS = ['each', 'text', 'speaker', 'at', 'conversation', 'id', 'title'] as const

/**
 * Parses `--map`, such as `text=body,speaker=author.name,at=sent`: for each field, the members that lead to its value.
 * @throws Fault `usage`
 */
export function parseMap(text: string): FieldMap {
  const map: Record<string, readonly string[]> = {}
  for (const part of text.split(',')) {
    const [, field = '', path = ''] = /^\s*(\w+)\s*=\s*(\S+)\s*$/.exec(part) ?? []
    if (!FIELDS.some((one) => one === field) || path === '')
      throw new Fault(
        'usage',
        `invalid part of --map: '${part}': expected FIELD=MEMBER, with one of the fields ${FIELDS.join(', ')}`,
        { hint: HINT }
      )
    map[field] = path.split('.')
  }
  if (map.text === undefined) throw new Fault('usage', 'invalid --map: expected a member for text', { hint: HINT })
  return { ...map, text: map.text }
}

type Work = {
  map: FieldMap
  zone: string
  tree: FileTree
  me: string | undefined
  isSeen: (conversation: string, id: string) => boolean
}

/** Roles of the person in chats with an assistant; `--me` names that person. */
const PERSON_ROLES = new Set(['user', 'human'])

/** Converts each object to a message, by the map of `--map`. */
export async function* convertJson(tree: FileTree, { map, zone, me, signal }: Given): AsyncGenerator<Item> {
  if (map === undefined)
    throw new Fault('usage', '--from json needs --map, which names the members of the texts', { hint: HINT })
  const work = { map, zone, tree, me, isSeen: createSeenIds() }
  const isJson = ({ path }: TreeFile) => /\.(json|jsonl|ndjson)$/i.test(path) || tree.files.length === 1
  yield* takeFiles(tree, { signal }, (file) => (isJson(file) ? convertFile(file, work) : undefined))
}

async function* convertFile(file: TreeFile, work: Work): AsyncGenerator<Item> {
  const { each } = work.map
  const isLines = /\.(jsonl|ndjson)$/i.test(file.path)
  let count = 0
  for await (const part of isLines ? readJsonLines(file) : readJsonObjects(file)) {
    const listed =
      'object' in part ? (each === undefined ? [part.object] : listMembers(findValue(part.object, each))) : []
    if (!('object' in part)) yield { kind: 'message', path: `${file.path}#${count + 1}`, leftOut: 'malformed' }
    for (const object of listed) yield convertObject(object, { path: file.path, number: ++count }, work)
  }
}

function convertObject(object: JsonMembers, { path, number }: { path: string; number: number }, work: Work): Item {
  const { map, zone, tree, me, isSeen } = work
  const place = `${path}#${number}`
  const found = findValue(object, map.text)
  if (found !== undefined && typeof found !== 'string')
    return { kind: 'message', path: place, leftOut: 'unknown_content' }
  const text = found?.trim() ?? ''
  if (text === '') return { kind: 'message', path: place, leftOut: 'empty' }
  const conversation = readField(object, map.conversation) ?? `${tree.name}/${path}`
  const role = readField(object, map.speaker)
  const speaker = me !== undefined && PERSON_ROLES.has(role?.toLowerCase() ?? '') ? me : role
  const time = readTime(map.at === undefined ? undefined : findValue(object, map.at), zone)
  const id = readField(object, map.id) ?? computeNativeId(conversation, speaker, time?.ms, text)
  if (isSeen(conversation, id)) return { kind: 'message', path: place, merged: true }
  const title = readField(object, map.title)
  const part = {
    ...{ text, conversation, position: number - 1 },
    ...(speaker !== undefined && { speaker }),
    ...(time !== undefined && { at: time.ms })
  }
  const more = time?.guessed ? { zone_guessed: true } : {}
  const lines = toLines(
    { id, ...(title !== undefined && { title }), parts: [part] },
    { format: JSON_FACTS.id, id, path, more }
  )
  return { kind: 'message', path: place, lines }
}

/** Follows members by their names, and elements of lists by their numbers. */
function findValue(object: unknown, members: readonly string[]): unknown {
  return members.reduce<unknown>((value, member) => {
    if (Array.isArray(value)) return value[Number(member)]
    return isMembers(value) && Object.hasOwn(value, member) ? value[member] : undefined
  }, object)
}

function readField(object: JsonMembers, members: readonly string[] | undefined): string | undefined {
  const value = members === undefined ? undefined : findValue(object, members)
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** A number above this is in milliseconds since 1970, otherwise in seconds. */
const SECONDS_MAX = 1e11

function readTime(value: unknown, zone: string): ZonedTime | undefined {
  if (typeof value === 'string') return parseZonedTime(value, zone)
  const ms = typeof value === 'number' && Math.abs(value) > SECONDS_MAX ? Math.round(value) : readSeconds(value)
  return ms === undefined ? undefined : { ms, guessed: false }
}
