import { parse } from 'yaml'
import type { Metadata } from '../../contract/snapshot.ts'
import { toLines } from '../lines/to-lines.ts'
import { parseZonedTime, type ZonedTime } from '../lines/zoned-time.ts'
import type { FileTree, TreeFile } from '../port/file-tree.ts'
import type { FormatFacts, Given, IngestLine } from '../port/format.ts'

/** https://help.obsidian.md/properties and https://help.obsidian.md/links. */
export const MARKDOWN_FACTS: FormatFacts = {
  id: 'markdown',
  name: 'a folder of Markdown notes, such as an Obsidian vault',
  markers: [],
  general: /\.(md|markdown)$/i,
  edits: 'items'
}

type NoteFile = { tree: FileTree; file: TreeFile; given: Pick<Given, 'zone'> }

/**
 * Converts the text of a Markdown note. A date in the front matter, or in the name of a daily note, is the time of its
 * memories; other notes are undated, as documents are.
 */
export function convertNote(
  text: string,
  { tree, file: { path, modifiedMs }, given }: NoteFile
): { lines: IngestLine[]; replaces: string } {
  const id = `${tree.name}/${path}`
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.(md|markdown)$/i, '')
  const front = readFrontMatter(text)
  const time = findTime(front, name, given.zone)
  const part =
    time === undefined
      ? { text: showMarkdown(text), ...(modifiedMs !== undefined && { at: modifiedMs }) }
      : { text: showMarkdown(text), at: time.ms, conversation: id }
  const title = typeof front.title === 'string' && front.title.trim() !== '' ? front.title : name
  const url = isVault(tree)
    ? `obsidian://open?vault=${encodeURIComponent(tree.name)}&file=${encodeURIComponent(path)}`
    : undefined
  const lines = toLines(
    { id, title, ...(url !== undefined && { url }), parts: [part] },
    { format: 'markdown', id, path, more: listNames(front, time) }
  )
  return { lines, replaces: `markdown:${id}` }
}

function isVault({ losses }: FileTree): boolean {
  return losses.some(({ path }) => path === '.obsidian')
}

type FrontMatter = Readonly<Record<string, unknown>>

/** Longer front matter is not parsed. */
const FRONT_UNITS_MAX = 20_000

/** Reads the YAML between two lines of `---` at the top; an empty object if there is none, or it is not valid. */
function readFrontMatter(text: string): FrontMatter {
  if (!text.startsWith('---\n')) return {}
  const end = /\n(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(text.slice(0, FRONT_UNITS_MAX))
  if (end === null) return {}
  try {
    const value: unknown = parse(text.slice(4, end.index + 1), { logLevel: 'silent', maxAliasCount: 10 })
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as FrontMatter) : {}
  } catch {
    return {}
  }
}

/** Names of the date of a note, the most reliable first. Dates of changes are not taken: each edit would be a new note. */
const DATE_KEYS = ['date', 'created', 'created_at', 'created-at', 'date created', 'creation date', 'datetime']

function findTime(front: FrontMatter, name: string, zone: string): ZonedTime | undefined {
  const stated = DATE_KEYS.map((key) => front[key]).find((value) => typeof value === 'string')
  const time = typeof stated === 'string' ? parseZonedTime(stated, zone) : undefined
  return time ?? parseZonedTime(/^\d{4}-\d\d-\d\d(?!\d)/.exec(name)?.[0] ?? '', zone)
}

/** Maximum number of tags or aliases that are kept, and their maximum length in UTF-16 code units. */
const NAMES_MAX = 50
const NAME_UNITS_MAX = 200

function listNames(front: FrontMatter, time: ZonedTime | undefined): Metadata {
  const aliases = toNames(front.aliases ?? front.alias)
  const tags = toNames(front.tags ?? front.tag).map((tag) => tag.replace(/^#/, ''))
  return {
    ...(aliases.length > 0 && { aliases }),
    ...(tags.length > 0 && { tags }),
    ...(time?.guessed && { zone_guessed: true })
  }
}

function toNames(value: unknown): string[] {
  const values = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : []
  return values
    .filter((one) => typeof one === 'string' || typeof one === 'number')
    .map((one) => String(one).trim().slice(0, NAME_UNITS_MAX).toWellFormed())
    .filter((one) => one !== '')
    .slice(0, NAMES_MAX)
}

/** Returns a note as Obsidian shows it: links as their text, without block ids. Code is unchanged. */
function showMarkdown(text: string): string {
  if (!text.includes('[[') && !text.includes(' ^')) return text
  let isCode = false
  return text
    .split('\n')
    .map((line) => {
      if (/^\s{0,3}(```|~~~)/.test(line)) isCode = !isCode
      return isCode ? line : showLine(line)
    })
    .join('\n')
}

function showLine(line: string): string {
  const shown = line
    .split(/(`[^`]*`)/)
    .map((part) =>
      part.startsWith('`') ? part : part.replace(WIKILINK, (link, target, alias) => showLink(link, target, alias))
    )
    .join('')
  return shown.replace(/ \^[A-Za-z0-9-]{1,60}$/, '')
}

const WIKILINK = /!?\[\[([^[\]|]{1,500})(?:\|([^[\]]{1,500}))?\]\]/g

/** An embedded picture shows no text. A link to a heading shows the note and the heading. */
function showLink(link: string, target: string, alias: string | undefined): string {
  if (link.startsWith('!') && MEDIA.test(target)) return ''
  return (
    alias ??
    target
      .replace(/#\^.*$/, '')
      .replace(/^#/, '')
      .replaceAll('#', ' > ')
  )
}

const MEDIA = /\.(png|jpe?g|gif|webp|svg|bmp|avif|mp3|wav|ogg|m4a|mp4|mov|webm|mkv|pdf)(#.*)?$/i
