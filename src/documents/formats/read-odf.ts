import type { DocumentText } from '../port/document-reader.ts'
import { unreadableError } from '../port/unreadable-error.ts'
import { TEXT_BYTES_MAX } from './limit-text.ts'
import { formatTableRow, visitPart } from './office-package.ts'
import { openZip, type Zip } from './open-zip.ts'
import { formatRows } from './read-csv.ts'
import type { XmlAttributes } from './visit-xml.ts'

const CONTENT = 'content.xml'
const ROWS_MAX = 50_000
/** Limits the columns that are read: a repeated cell must not make a row of a million. */
const COLUMNS_MAX = 200

/**
 * Reads an OpenDocument 1.3 text, sheet or presentation as displayed
 * (https://docs.oasis-open.org/office/OpenDocument/v1.3/).
 */
export function readOdf(bytes: Uint8Array): DocumentText {
  const zip = openZip(bytes)
  if (!zip.names.includes(CONTENT)) throw unreadableError('it is not an OpenDocument file')
  if (isEncrypted(zip)) throw unreadableError('it is protected by a password')
  return readContent(zip)
}

function isEncrypted(zip: Zip): boolean {
  let found = false
  visitPart(zip, 'META-INF/manifest.xml', {
    open(name) {
      found ||= name === 'encryption-data'
    }
  })
  return found
}

/** Elements whose text is not shown: deleted text, comments, pronunciations, the numbers of notes, and descriptions of pictures. */
const HIDDEN = new Set(['tracked-changes', 'annotation', 'ruby-text', 'note-citation', 'title', 'desc', 'forms'])

function readContent(zip: Zip): DocumentText {
  const blocks = createBlocks()
  const words = createWords()
  const tables = createTables(blocks)
  let hidden = 0
  visitPart(zip, CONTENT, {
    open(name, attributes) {
      if (HIDDEN.has(name)) hidden += 1
      if (hidden > 0) return
      words.open(name)
      tables.open(name, attributes)
      blocks.open(name, attributes)
    },
    text(text) {
      if (hidden === 0) words.text(text)
    },
    close(name) {
      if (hidden === 0) {
        if (name === 'p' || name === 'h') {
          const text = words.take()
          if (text !== '' && !tables.addText(text)) blocks.add(name, text)
        }
        tables.close(name)
        blocks.close(name)
      }
      if (HIDDEN.has(name)) hidden -= 1
    },
    isDone: () => blocks.isFull()
  })
  return { text: blocks.join(), cut: blocks.isFull() || tables.isCut() }
}

/** Collects the text of paragraphs. A paragraph inside another one, as that of a note, is added to it in parentheses. */
function createWords() {
  const open: string[][] = []
  return {
    open(name: string): void {
      if (name === 'p' || name === 'h') open.push([])
      else if (name === 's' || name === 'tab' || name === 'line-break') open.at(-1)?.push(' ')
    },
    text(text: string): void {
      open.at(-1)?.push(text)
    },
    /** Returns the paragraph that ends here; an empty string if it is inside another one. */
    take(): string {
      const text = (open.pop() ?? []).join('').replace(/\s+/g, ' ').trim()
      const outer = open.at(-1)
      if (outer === undefined) return text
      if (text !== '') outer.push(` (${text}) `)
      return ''
    }
  }
}

type Block = { text: string; isItem: boolean }

/** Collects headings, paragraphs, items of lists and slides. */
function createBlocks() {
  const all: Block[] = []
  let [length, level, lists, slides, slideAt] = [0, 1, 0, 0, 0]
  let [isNewItem, isTitle, isNotes] = [false, false, false]
  let title = ''
  const push = (text: string, isItem = false): void => {
    all.push({ text, isItem })
    length += text.length
  }
  return {
    push,
    isFull: () => length > TEXT_BYTES_MAX,
    open(name: string, attributes: () => XmlAttributes): void {
      if (name === 'h') level = Math.min(Math.max(Number(attributes()['outline-level']) || 1, 1), LEVEL_MAX)
      else if (name === 'list') lists += 1
      else if (name === 'list-item') isNewItem = true
      else if (name === 'frame') isTitle = attributes()['presentation:class'] === 'title'
      else if (name === 'notes') isNotes = true
      else if (name === 'page') {
        slides += 1
        slideAt = all.length
        title = ''
      }
    },
    add(name: 'p' | 'h', text: string): void {
      if (isTitle && !isNotes) title = `${title} ${text}`.trim()
      else if (name === 'h') push(`${'#'.repeat(level)} ${text}`)
      else if (lists > 0) push(`${'  '.repeat(Math.min(lists, LEVEL_MAX) - 1)}${isNewItem ? '- ' : '  '}${text}`, true)
      else push(isNotes && !isNewItem ? `Notes: ${text}` : text)
      isNewItem = false
    },
    close(name: string): void {
      if (name === 'list') lists -= 1
      else if (name === 'frame') isTitle = false
      else if (name === 'notes') isNotes = false
      else if (name === 'page' && (title !== '' || all.length > slideAt))
        all.splice(slideAt, 0, { text: `# ${title === '' ? `Slide ${slides}` : title}`, isItem: false })
    },
    join(): string {
      const parts = all.map(({ text, isItem }, at) => {
        const separator = at === 0 ? '' : isItem && all[at - 1]?.isItem === true ? '\n' : '\n\n'
        return `${separator}${text}`
      })
      return parts.join('')
    }
  }
}

const LEVEL_MAX = 6

type Cell = { repeat: number; value: string | undefined; texts: string[] }

/** Collects tables: those of a spreadsheet as sheets, others as rows of Markdown. A table in a cell is a part of its text. */
function createTables(blocks: { push(text: string): void }) {
  let [depth, repeat, isSheet, cut] = [0, 1, false, false]
  let [name, rows, row]: [string, string[][], string[]] = ['', [], []]
  let cell: Cell | undefined
  const addRow = (): void => {
    while (row.at(-1) === '') row.pop()
    const left = ROWS_MAX - rows.length
    if (row.length > 0) for (let n = 0; n < Math.min(repeat, left); n++) rows.push(row)
    cut ||= row.length > 0 && repeat > left
  }
  const addCell = ({ repeat: times, value, texts }: Cell): void => {
    const text = value ?? texts.join(' ')
    for (let n = 0; n < times && row.length < COLUMNS_MAX; n++) row.push(text)
  }
  const addTable = (): void => {
    const read = isSheet ? formatRows(rows) : { text: rows.map(formatTableRow).filter(Boolean).join('\n'), cut: false }
    cut ||= read.cut
    if (read.text !== '') blocks.push(isSheet && name !== '' ? `# ${name}\n\n${read.text}` : read.text)
  }
  return {
    isCut: () => cut,
    /** Adds a paragraph to the cell that is being read. Returns false if there is none. */
    addText(text: string): boolean {
      cell?.texts.push(text)
      return depth > 0
    },
    open(element: string, attributes: () => XmlAttributes): void {
      if (element === 'spreadsheet') isSheet = true
      if (element === 'table') depth += 1
      if (depth !== 1) return
      if (element === 'table') [name, rows] = [attributes().name ?? '', []]
      else if (element === 'table-row') [row, repeat] = [[], readRepeat(attributes()['number-rows-repeated'])]
      else if (element === 'table-cell' || element === 'covered-table-cell')
        cell = {
          repeat: readRepeat(attributes()['number-columns-repeated']),
          value: isSheet ? readValue(attributes()) : undefined,
          texts: []
        }
    },
    close(element: string): void {
      if (element === 'table') depth -= 1
      if (element === 'table' && depth === 0) addTable()
      if (depth !== 1) return
      if (element === 'table-row') addRow()
      else if (cell !== undefined && (element === 'table-cell' || element === 'covered-table-cell')) {
        addCell(cell)
        cell = undefined
      }
    }
  }
}

function readRepeat(text: string | undefined): number {
  const count = Number(text ?? 1)
  return Number.isInteger(count) && count > 0 ? count : 1
}

/**
 * Returns the value of a spreadsheet cell if its text shows it shortened, otherwise undefined (part 3, section 19.391).
 */
function readValue(attributes: XmlAttributes): string | undefined {
  switch (attributes['value-type']) {
    case 'float':
      return attributes.value
    case 'date':
      return attributes['date-value']?.slice(0, 16).replace('T00:00', '').replace('T', ' ')
    case 'boolean':
      return attributes['boolean-value'] === 'true' ? 'yes' : 'no'
    default:
      return undefined
  }
}
