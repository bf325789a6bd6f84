import type { GivenFact } from '../../contract/snapshot.ts'
import { FILE_BYTES_MAX } from '../../documents/port/document-reader.ts'
import { type FileTree, readWhole, TreeError, type TreeFile } from '../port/file-tree.ts'
import type { FormatFacts, Given, IngestLine, Item } from '../port/format.ts'
import { convertFiles } from './convert-files.ts'

/** https://docs.basicmemory.com/guides/knowledge-format: Markdown with a permalink, observations and relations. */
export const BASIC_MEMORY_FACTS: FormatFacts = {
  id: 'basic_memory',
  name: 'a project of basic-memory',
  markers: [
    { path: /\.md$/i, head: [/^---\r?\n[\s\S]{0,2000}?\npermalink: /, /^- \[[^\]\s][^\]]*\] \S|^- [^[\n]+ \[\[/m] }
  ],
  edits: 'items'
}

/** Converts notes as Markdown, with their observations and relations as given facts. */
export async function* convertBasicMemory(tree: FileTree, given: Given): AsyncGenerator<Item> {
  const files = new Map(tree.files.map((file) => [file.path, file]))
  for await (const item of convertFiles(tree, given)) {
    const file = files.get(item.path)
    if (item.kind !== 'note' || !('lines' in item) || file === undefined) yield item
    else yield { ...item, lines: addFacts(item.lines, await readFacts(file, item.lines)) }
  }
}

/** `- [category] text #tag (context)`, but not a task, such as `- [x] text`. */
const OBSERVATION = /^- \[([^\]\s][^\]]+)\] (.+?)(?:\s+\([^()]*\))?$/

/** `- relation [[Target]] (context)`. */
const RELATION = /^- ([^[\n]{1,200}?) \[\[([^[\]|]{1,500})(?:\|[^[\]]*)?\]\]/

/** A fact, and its value as the text shows it. */
type StatedFact = { fact: GivenFact; shown: string }

async function readFacts(file: TreeFile, [first]: readonly IngestLine[]): Promise<StatedFact[]> {
  const title = first?.metadata.title
  const subject = typeof title === 'string' ? title : file.path
  const text = await readLines(file)
  return text.flatMap((line): StatedFact[] => {
    const [, relation, target] = RELATION.exec(line) ?? []
    if (relation !== undefined && target !== undefined)
      return [{ fact: { subject, predicate: relation.trim(), value: target.trim() }, shown: target.trim() }]
    const [, category, words] = OBSERVATION.exec(line) ?? []
    if (category === undefined || words === undefined) return []
    const value = words.replace(/\s+#[\p{L}\p{N}/_-]+/gu, '').trim()
    return value === '' ? [] : [{ fact: { subject, predicate: category.trim(), value }, shown: value }]
  })
}

async function readLines(file: TreeFile): Promise<string[]> {
  try {
    return new TextDecoder().decode(await readWhole(file, FILE_BYTES_MAX)).split(/\r?\n/)
  } catch (error) {
    if (error instanceof TreeError) return []
    throw error
  }
}

/** Adds each fact to the first chunk that shows it. */
function addFacts(lines: readonly IngestLine[], facts: readonly StatedFact[]): IngestLine[] {
  const places = facts.map(({ shown }) =>
    Math.max(
      0,
      lines.findIndex(({ raw_text }) => raw_text.includes(shown))
    )
  )
  return lines.map((line, at) => {
    const given = facts.filter((_, n) => places[n] === at).map(({ fact }) => fact)
    return given.length === 0 ? line : { ...line, given }
  })
}
