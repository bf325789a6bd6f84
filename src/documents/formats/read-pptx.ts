import type { DocumentText } from '../port/document-reader.ts'
import { unreadableError } from '../port/unreadable-error.ts'
import { TEXT_BYTES_MAX } from './limit-text.ts'
import { formatTableRow, readRelations, visitPart } from './office-package.ts'
import { openZip, type Zip } from './open-zip.ts'
import type { XmlAttributes, XmlVisitor } from './visit-xml.ts'

const PRESENTATION = 'ppt/presentation.xml'
const SLIDES_MAX = 2000

/** Reads the slides of a presentation (ECMA-376 part 1, section 19), in their order: title, text and tables, and the notes of the speaker. */
export function readPptx(bytes: Uint8Array): DocumentText {
  const zip = openZip(bytes)
  if (!zip.names.includes(PRESENTATION)) throw unreadableError('it is not a PowerPoint presentation')
  const slides = listSlides(zip)
  const parts: string[] = []
  let length = 0
  let number = 0
  while (number < Math.min(slides.length, SLIDES_MAX) && length <= TEXT_BYTES_MAX) {
    const text = readSlide(zip, slides[number] ?? '', number + 1)
    number += 1
    parts.push(text)
    length += text.length
  }
  return { text: parts.filter((text) => text !== '').join('\n\n'), cut: number < slides.length }
}

/** Lists the parts of the slides in the order in which they are shown. */
function listSlides(zip: Zip): string[] {
  const paths = new Map(readRelations(zip, PRESENTATION).map(({ id, path }) => [id, path]))
  const slides: string[] = []
  visitPart(zip, PRESENTATION, {
    open(name, attributes) {
      const path = name === 'sldId' ? paths.get(attributes()['r:id'] ?? '') : undefined
      if (path !== undefined) slides.push(path)
    }
  })
  return slides
}

function readSlide(zip: Zip, path: string, number: number): string {
  const { title, blocks } = readShapes(zip, path)
  const notes = readRelations(zip, path).find(({ type }) => type === 'notesSlide')
  const said = notes === undefined ? [] : readShapes(zip, notes.path, 'body').blocks
  const all = said.length === 0 ? blocks : [...blocks, `Notes: ${said.join('\n')}`]
  if (title === '' && all.length === 0) return ''
  return [`# ${title === '' ? `Slide ${number}` : title}`, ...all].join('\n\n')
}

type Slide = { title: string; blocks: string[] }

/** A shape that is being read. `role`: the type of its placeholder; undefined if it is none. */
type Shape = { role: string | undefined; lines: string[] }

/** Reads the shapes of a slide; with `only`, those of one role. */
function readShapes(zip: Zip, path: string, only?: string): Slide {
  const slide: Slide = { title: '', blocks: [] }
  let shape: Shape = { role: undefined, lines: [] }
  const paragraph = createParagraphs()
  const cells = createCells()
  visitPart(zip, path, {
    open(name, attributes) {
      if (name === 'sp' || name === 'graphicFrame') shape = { role: undefined, lines: [] }
      else if (name === 'ph') shape.role = attributes().type ?? 'obj'
      paragraph.open?.(name, attributes)
      cells.open(name)
    },
    text: paragraph.text,
    close(name) {
      paragraph.close?.(name)
      if (name === 'p') {
        const { text, level } = paragraph.take()
        if (!cells.add(text) && text !== '') shape.lines.push(formatParagraph(text, level, shape.role))
      }
      const row = cells.close(name)
      if (row !== '') shape.lines.push(row)
      if ((name === 'sp' || name === 'graphicFrame') && (only === undefined || shape.role === only))
        addShape(slide, shape)
    }
  })
  return slide
}

/** Placeholders that hold a number or a date of the layout. */
const LAYOUT = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg'])

function addShape(slide: Slide, { role, lines }: Shape): void {
  if (lines.length === 0 || LAYOUT.has(role ?? '')) return
  if (slide.title === '' && (role === 'title' || role === 'ctrTitle')) slide.title = lines.join(' ')
  // A list of one item is a sentence.
  else slide.blocks.push(lines.length === 1 ? (lines[0] ?? '').replace(/^ *- /, '') : lines.join('\n'))
}

/** The text of a content placeholder is a list, whose items have levels from 0 on. */
function formatParagraph(text: string, level: number, role: string | undefined): string {
  return role === 'obj' || role === 'body' ? `${'  '.repeat(level)}- ${text}` : text
}

const LEVEL_MAX = 8

/** Collects the text of a paragraph: its runs, with breaks as spaces. */
function createParagraphs(): XmlVisitor & { text(text: string): void; take(): { text: string; level: number } } {
  let parts: string[] = []
  let [level, depth] = [0, 0]
  return {
    open(name: string, attributes: () => XmlAttributes) {
      if (name === 't') depth += 1
      else if (name === 'br' || name === 'tab') parts.push(' ')
      else if (name === 'pPr') level = Math.min(Math.max(Number(attributes().lvl ?? 0) || 0, 0), LEVEL_MAX)
    },
    text(text) {
      if (depth > 0) parts.push(text)
    },
    close(name) {
      if (name === 't') depth -= 1
    },
    take() {
      const taken = { text: parts.join('').replace(/\s+/g, ' ').trim(), level }
      parts = []
      level = 0
      return taken
    }
  }
}

/** Collects the cells of the row of a table. */
function createCells() {
  let row: string[] = []
  let isInCell = false
  return {
    open(name: string): void {
      if (name === 'tr') row = []
      else if (name === 'tc') {
        isInCell = true
        row.push('')
      }
    },
    /** Adds text to the cell that is being read. Returns false if there is none. */
    add(text: string): boolean {
      if (isInCell) row.push(`${row.pop() ?? ''} ${text}`)
      return isInCell
    },
    /** Returns the row that ends here as a line; otherwise an empty string. */
    close(name: string): string {
      if (name === 'tc') isInCell = false
      return name === 'tr' ? formatTableRow(row) : ''
    }
  }
}
