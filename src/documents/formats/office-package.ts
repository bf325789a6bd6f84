import { posix } from 'node:path'
import type { Zip } from './open-zip.ts'
import { visitXml, type XmlVisitor } from './visit-xml.ts'

/** Visits a part of an archive; does nothing if it is missing or empty. */
export function visitPart(zip: Zip, name: string, visitor: XmlVisitor): void {
  const part = zip.read(name)
  if (part !== undefined && part.length > 0) visitXml(part, visitor)
}

/** A part that another part refers to. `type`: the last word of its type, such as `slide`. */
export type Relation = { id: string; type: string; path: string }

/** Reads what a part of an Office file refers to (ECMA-376 part 2, section 6.5). */
export function readRelations(zip: Zip, part: string): Relation[] {
  const folder = posix.dirname(part)
  const relations: Relation[] = []
  visitPart(zip, `${folder}/_rels/${posix.basename(part)}.rels`, {
    open(name, attributes) {
      if (name !== 'Relationship') return
      const { Id: id = '', Type = '', Target = '' } = attributes()
      relations.push({ id, type: Type.slice(Type.lastIndexOf('/') + 1), path: resolvePath(folder, Target) })
    }
  })
  return relations
}

/** Resolves a reference of a part to another member of the archive. */
export function resolvePath(folder: string, reference: string): string {
  return posix.join('/', reference.startsWith('/') ? '' : folder, reference).slice(1)
}

/** Collects the text of the elements of one name, without that inside elements of another. */
export function createTextCollector(wanted: string, leftOut: string) {
  let [depth, hidden] = [0, 0]
  let parts: string[] = []
  return {
    open(name: string): void {
      if (name === wanted) depth += 1
      else if (name === leftOut) hidden += 1
    },
    text(text: string): void {
      if (depth > 0 && hidden === 0) parts.push(text)
    },
    close(name: string): void {
      if (name === wanted) depth -= 1
      else if (name === leftOut) hidden -= 1
    },
    /** Returns the text since the last call. */
    take(): string {
      const text = parts.join('')
      parts = []
      return text
    }
  }
}

/** Formats the row of a table as a line, as Markdown does; an empty string if it has no words. */
export function formatTableRow(cells: readonly string[]): string {
  const line = cells.map((cell) => cell.replace(/\s+/g, ' ').trim()).join(' | ')
  return /[^|\s]/.test(line) ? `| ${line} |` : ''
}
