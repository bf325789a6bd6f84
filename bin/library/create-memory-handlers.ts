/** `memctl/anthropic`: the handlers of Anthropic's memory tool. The package of the SDK is needed for its types only. */
import type { MemoryToolHandlers } from '@anthropic-ai/sdk/helpers/beta/memory'
import type { Device } from '../../src/device/device.ts'
import { type KeyedMemories, type KeyedMemory, openKeyedMemories } from './keyed-memories.ts'

/** What each handler returns; the SDK also permits other content. */
export type MemoryHandlers = {
  [Name in keyof MemoryToolHandlers]: (...given: Parameters<MemoryToolHandlers[Name]>) => Promise<string>
}

/**
 * Creates handlers for `betaMemoryTool` of the SDK. Each file below `/memories` is a memory of the snapshot, which
 * `search` finds like any other. The texts of answers and errors are those of the SDK's own handlers, which use a
 * folder; an error is for the model.
 */
export function createMemoryHandlers(device: Device): MemoryHandlers {
  const files = openKeyedMemories(device, 'memory-tool')
  return {
    async view({ path: given, view_range: range }) {
      const path = toPath(given)
      const file = await files.find(path)
      return file === undefined ? await viewFolder(files, given, path) : viewFile(file, given, range)
    },
    async create({ path: given, file_text: text }) {
      const path = toPath(given)
      if (await exists(files, path)) throw new Error(`File ${given} already exists`)
      await files.put(path, { text })
      return `File created successfully at: ${given}`
    },
    async str_replace({ path: given, old_str: before, new_str: after }) {
      const { path, text } = await findFile(files, given)
      const place = findOnlyLine(text, before, given)
      const changed = text.replace(before, () => after)
      await files.put(path, { text: changed })
      const from = Math.max(0, place - 3)
      const shown = numberLines(changed.split('\n').slice(from, place + 2), from + 1)
      return `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${shown}`
    },
    async insert({ path: given, insert_line: line, insert_text: inserted }) {
      const { path, text } = await findFile(files, given)
      const lines = text.split('\n')
      if (line < 0 || line > lines.length) {
        throw new Error(
          `Invalid \`insert_line\` parameter: ${line}. It should be within the range of lines of the file: [0, ${lines.length}]`
        )
      }
      lines.splice(line, 0, inserted.replace(/\n$/, ''))
      await files.put(path, { text: lines.join('\n') })
      return `The file ${given} has been edited.`
    },
    async delete({ path: given }) {
      const path = toPath(given)
      if (path === ROOT) throw new Error('Cannot delete the /memories directory itself')
      const found = await files.list(path)
      if (found.length === 0) throw new Error(`The path ${given} does not exist`)
      await files.remove(found.map((file) => file.path))
      return `Successfully deleted ${given}`
    },
    async rename({ old_path: from, new_path: to }) {
      const [before, after] = [toPath(from), toPath(to)]
      if (before === ROOT) throw new Error('Cannot rename the /memories directory itself')
      if (await exists(files, after)) throw new Error(`The destination ${to} already exists`)
      const found = await files.list(before)
      if (found.length === 0) throw new Error(`The path ${from} does not exist`)
      for (const { path, text } of found) await files.put(`${after}${path.slice(before.length)}`, { text })
      await files.remove(found.map((file) => file.path))
      return `Successfully renamed ${from} to ${to}`
    }
  }
}

const ROOT = 'memories'

/** Returns the path of a memory for a path of the tool, such as `/memories/notes/a.md`. */
function toPath(given: string): string {
  const parts = given.split('/').filter((part) => part !== '' && part !== '.')
  if (!given.startsWith('/') || parts[0] !== ROOT) throw new Error(`Path must start with /memories, got: ${given}`)
  if (parts.includes('..')) throw new Error(`Path ${given} would escape /memories directory`)
  return parts.join('/')
}

async function exists(files: KeyedMemories, path: string): Promise<boolean> {
  return path === ROOT || (await files.list(path)).length > 0
}

async function findFile(files: KeyedMemories, given: string): Promise<KeyedMemory> {
  const path = toPath(given)
  const file = await files.find(path)
  if (file !== undefined) return file
  if (await exists(files, path)) throw new Error(`The path ${given} is not a file.`)
  throw missing(given)
}

function missing(given: string): Error {
  return new Error(`The path ${given} does not exist. Please provide a valid path.`)
}

/** Returns the number of the only line that contains a text. */
function findOnlyLine(text: string, wanted: string, given: string): number {
  const places = text.split('\n').flatMap((line, at) => (line.includes(wanted) ? [at + 1] : []))
  const [place] = places
  const why = 'No replacement was performed'
  if (place === undefined) throw new Error(`${why}, old_str \`${wanted}\` did not appear verbatim in ${given}.`)
  if (places.length === 1) return place
  throw new Error(
    `${why}. Multiple occurrences of old_str \`${wanted}\` in lines: ${places.join(', ')}. Please ensure it is unique`
  )
}

/** Lists files and folders up to two levels deep. The size of a folder is that of its files. */
async function viewFolder(files: KeyedMemories, given: string, path: string): Promise<string> {
  const found = await files.list(path)
  if (found.length === 0 && path !== ROOT) throw missing(given)
  const sizes = new Map<string, number>([['', 0]])
  for (const file of found) {
    const parts = file.path.slice(path.length + 1).split('/')
    const folders = parts.slice(0, -1).map((_, depth) => `${parts.slice(0, depth + 1).join('/')}/`)
    const bytes = Buffer.byteLength(file.text)
    for (const one of ['', ...folders, parts.join('/')]) sizes.set(one, (sizes.get(one) ?? 0) + bytes)
  }
  const rows = [...sizes].filter(([name]) => name !== '' && isShown(name)).sort(([a], [b]) => (a < b ? -1 : 1))
  const lines = rows.map(([name, bytes]) => `${formatSize(bytes)}\t${given}/${name}`)
  const head = `Here're the files and directories up to 2 levels deep in ${given}, excluding hidden items and node_modules:`
  return [head, `${formatSize(sizes.get('') ?? 0)}\t${given}`, ...lines].join('\n')
}

function isShown(name: string): boolean {
  const parts = name.split('/').filter((part) => part !== '')
  return parts.length <= 2 && parts.every((part) => !part.startsWith('.') && part !== 'node_modules')
}

function formatSize(bytes: number): string {
  const power = Math.min(3, bytes === 0 ? 0 : Math.floor(Math.log2(bytes) / 10))
  const size = bytes / 1024 ** power
  return `${Number.isInteger(size) ? size : size.toFixed(1)}${'BKMG'[power]}`
}

function viewFile({ text }: KeyedMemory, given: string, range: readonly number[] | undefined): string {
  const lines = text.split('\n')
  const [from = 1, to = -1] = range?.length === 2 ? range : []
  const first = Math.max(1, from)
  const shown = numberLines(lines.slice(first - 1, to === -1 ? lines.length : to), first)
  return `Here's the content of ${given} with line numbers:\n${shown}`
}

function numberLines(lines: readonly string[], first: number): string {
  return lines.map((line, at) => `${String(first + at).padStart(6)}\t${line}`).join('\n')
}
