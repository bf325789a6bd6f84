import { takeFiles } from '../lines/chat-message.ts'
import { type JsonMembers, listMembers, readJsonObjects, readText } from '../lines/read-json.ts'
import { toFactLine } from '../lines/to-lines.ts'
import type { FileTree, TreeFile } from '../port/file-tree.ts'
import type { FormatFacts, Given, Item } from '../port/format.ts'

/** https://github.com/modelcontextprotocol/servers/tree/main/src/memory: `memory.jsonl`, or `memory.json` of older versions. */
export const MCP_MEMORY_FACTS: FormatFacts = {
  id: 'mcp_memory',
  name: 'the file of the MCP memory server',
  markers: [
    { path: /\.jsonl?$/i, head: [/"type"\s*:\s*"entity"/, /"entityType"\s*:/] },
    { path: /\.json$/i, head: [/"entities"\s*:\s*\[/, /"entityType"\s*:/] }
  ],
  edits: 'items'
}

type Work = { path: string; seen: Set<string> }

/** Converts each entity to its observations, and each relation to a sentence with the relation as a given fact. */
export async function* convertMcpMemory(tree: FileTree, given: Given): AsyncGenerator<Item> {
  const seen = new Set<string>()
  yield* takeFiles(tree, given, (file) =>
    /\.jsonl?$/i.test(file.path) ? convertFile(file, { path: file.path, seen }) : undefined
  )
}

/** A line is an object; an older file is one object with two lists. */
async function* convertFile(file: TreeFile, work: Work): AsyncGenerator<Item> {
  let count = 0
  for await (const part of readJsonObjects(file)) {
    count += 1
    const path = `${file.path}#${count}`
    if (!('object' in part)) yield { kind: 'fact', path, leftOut: 'malformed' }
    else if (Array.isArray(part.object.entities) || Array.isArray(part.object.relations)) {
      for (const entity of listMembers(part.object.entities)) yield convertEntity(entity, path, work)
      for (const relation of listMembers(part.object.relations)) yield convertRelation(relation, path, work)
    } else if (part.object.type === 'relation') yield convertRelation(part.object, path, work)
    else yield convertEntity(part.object, path, work)
  }
}

function convertEntity(
  { name: named, entityType, observations }: JsonMembers,
  path: string,
  { path: source, seen }: Work
): Item {
  const name = readText(named)
  if (name === undefined) return { kind: 'entity', path, leftOut: 'malformed' }
  if (seen.has(name)) return { kind: 'entity', path, merged: true }
  seen.add(name)
  const type = readText(entityType)
  const texts = Array.isArray(observations)
    ? observations.filter((one) => typeof one === 'string' && one.trim() !== '')
    : []
  const about = { format: MCP_MEMORY_FACTS.id, id: name, path: source, title: name }
  const lines = [
    ...(type === undefined
      ? []
      : [toFactLine(`${name}: ${type}`, { ...about, given: { subject: name, predicate: 'type', value: type } })]),
    ...texts.map((text) => toFactLine(nameSubject(String(text), name), about))
  ].map((line, position) => ({ ...line, position }))
  return lines.length === 0
    ? { kind: 'entity', path, leftOut: 'empty' }
    : { kind: 'entity', path, lines, replaces: `${MCP_MEMORY_FACTS.id}:${name}` }
}

/** An observation is stored under its entity, and often does not name it. */
function nameSubject(text: string, name: string): string {
  return text.toLowerCase().includes(name.toLowerCase()) ? text : `${name}: ${text}`
}

function convertRelation({ from, to, relationType }: JsonMembers, path: string, work: Work): Item {
  const [subject, value, predicate] = [readText(from), readText(to), readText(relationType)]
  if (subject === undefined || value === undefined || predicate === undefined)
    return { kind: 'fact', path, leftOut: 'malformed' }
  const id = `${subject} ${predicate} ${value}`
  if (work.seen.has(`\0${id}`)) return { kind: 'fact', path, merged: true }
  work.seen.add(`\0${id}`)
  const text = `${subject} ${predicate.replaceAll('_', ' ')} ${value}.`
  const line = toFactLine(text, {
    format: MCP_MEMORY_FACTS.id,
    id,
    path: work.path,
    given: { subject, predicate, value }
  })
  return { kind: 'fact', path, lines: [line] }
}
