import { computeNativeId, readTime, takeFiles } from '../lines/chat-message.ts'
import { isMembers, type JsonMembers, listMembers, readJsonObjects, readText } from '../lines/read-json.ts'
import { toFactLine } from '../lines/to-lines.ts'
import type { FileTree, TreeFile } from '../port/file-tree.ts'
import type { FormatFacts, Given, Item } from '../port/format.ts'

/**
 * https://docs.mem0.ai/cookbooks/essentials/exporting-memories: the reply of `get_all`, whose `results` are the memories, or a
 * list of the same objects. An export with a schema of the user's own has other members, which `--map` names.
 */
export const MEM0_FACTS: FormatFacts = {
  id: 'mem0',
  name: 'an export of mem0',
  markers: [{ path: /\.jsonl?$/i, head: [/"memory"\s*:\s*"/, /"(user_id|agent_id|run_id|hash|updated_at)"\s*:/] }],
  edits: 'items'
}

type Work = { given: Given; path: string; seen: Set<string> }

/** Converts each memory, and each relation of the graph to a sentence with the relation as a given fact. */
export async function* convertMem0(tree: FileTree, given: Given): AsyncGenerator<Item> {
  const seen = new Set<string>()
  yield* takeFiles(tree, given, (file) =>
    /\.jsonl?$/i.test(file.path) ? convertFile(file, { given, path: file.path, seen }) : undefined
  )
}

async function* convertFile(file: TreeFile, work: Work): AsyncGenerator<Item> {
  let count = 0
  for await (const part of readJsonObjects(file)) {
    count += 1
    const path = `${file.path}#${count}`
    if (!('object' in part)) {
      yield { kind: 'fact', path, leftOut: 'malformed' }
      continue
    }
    const { results, memories, relations } = part.object
    const lists = [results, memories, relations].some(Array.isArray)
    for (const memory of lists ? [...listMembers(results), ...listMembers(memories)] : [part.object])
      yield convertMemory(memory, path, work)
    for (const relation of listMembers(relations)) yield convertRelation(relation, path, work)
  }
}

/** A memory of mem0 is about the user that it names, and has no subject. */
function convertMemory(memory: JsonMembers, path: string, { given, path: source, seen }: Work): Item {
  const text = readText(memory.memory)?.trim()
  if (text === undefined) return { kind: 'fact', path, leftOut: 'malformed' }
  if (text === '') return { kind: 'fact', path, leftOut: 'empty' }
  const id = readText(memory.id) ?? computeNativeId(memory.user_id, text)
  if (seen.has(id)) return { kind: 'fact', path, merged: true }
  seen.add(id)
  const at = readTime(memory.updated_at) ?? readTime(memory.created_at)
  const speaker = given.me ?? readText(memory.user_id) ?? readText(memory.agent_id)
  const line = toFactLine(text, { format: MEM0_FACTS.id, id, path: source })
  const tags = Array.isArray(memory.categories) ? memory.categories.filter((tag) => typeof tag === 'string') : []
  return {
    kind: 'fact',
    path,
    replaces: line.conversation,
    lines: [
      {
        ...line,
        ...(at !== undefined && isYear(at) && { at: new Date(at).toISOString() }),
        ...(speaker !== undefined && { speaker }),
        metadata: { ...line.metadata, ...(tags.length > 0 && { tags }) }
      }
    ]
  }
}

/** Reports whether a time has a year of four digits. */
function isYear(ms: number): boolean {
  return /^\d{4}-/.test(new Date(ms).toISOString())
}

function convertRelation(relation: JsonMembers, path: string, { path: source, seen }: Work): Item {
  const subject = readName(relation.source)
  const predicate = readText(relation.relationship) ?? readText(relation.relation)
  const value = readName(relation.target) ?? readName(relation.destination)
  if (subject === undefined || predicate === undefined || value === undefined)
    return { kind: 'fact', path, leftOut: 'malformed' }
  const id = `${subject} ${predicate} ${value}`
  if (seen.has(id)) return { kind: 'fact', path, merged: true }
  seen.add(id)
  const text = `${subject} ${predicate.replaceAll('_', ' ')} ${value}.`
  return {
    kind: 'fact',
    path,
    lines: [toFactLine(text, { format: MEM0_FACTS.id, id, path: source, given: { subject, predicate, value } })]
  }
}

function readName(value: unknown): string | undefined {
  return isMembers(value) ? readText(value.name) : readText(value)
}
