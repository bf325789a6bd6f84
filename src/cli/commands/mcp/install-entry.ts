import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { parse } from 'smol-toml'
import { Fault } from '../../../contract/faults.ts'
import type { Files, World } from '../../../ports.ts'
import type { Context } from '../../command/context.ts'
import { parseJsonObject } from '../../input/parse-json-object.ts'
import { makeSystemFault, readFileBytes, utf8Text } from '../../input/read-file-bytes.ts'
import { replaceFile } from '../../input/replace-file.ts'

/** Where a client keeps its servers. `key` is the member with the entries by name. */
type ClientFacts = {
  form: 'json' | 'toml'
  key: string
  path(folders: { home: string; application: string }): string
  /** Members of an entry besides `command` and `args`. */
  more?: Readonly<Record<string, unknown>>
}

const STDIO = { type: 'stdio' } as const

/** The clients whose configuration memctl can change. */
export const CLIENTS = {
  'claude-code': { form: 'json', key: 'mcpServers', path: ({ home }) => join(home, '.claude.json'), more: STDIO },
  'claude-desktop': {
    form: 'json',
    key: 'mcpServers',
    path: ({ application }) => join(application, 'Claude', 'claude_desktop_config.json')
  },
  cursor: { form: 'json', key: 'mcpServers', path: ({ home }) => join(home, '.cursor', 'mcp.json'), more: STDIO },
  vscode: {
    form: 'json',
    key: 'servers',
    path: ({ application }) => join(application, 'Code', 'User', 'mcp.json'),
    more: STDIO
  },
  codex: { form: 'toml', key: 'mcp_servers', path: ({ home }) => join(home, '.codex', 'config.toml') },
  gemini: { form: 'json', key: 'mcpServers', path: ({ home }) => join(home, '.gemini', 'settings.json') }
} as const satisfies Record<string, ClientFacts>

export type McpClient = keyof typeof CLIENTS

/** Reports whether a text names a client. */
export function isClient(name: string): name is McpClient {
  return Object.hasOwn(CLIENTS, name)
}

type Installing = { client: McpClient; args: readonly string[]; write: boolean }

/** The name of the entry in every client. */
const NAME = 'memctl'

/** Prints the entry for a client, or merges it into the client's file and keeps the earlier content as `FILE.bak`, or
 * `FILE.bak2` and so on. */
export async function installEntry(context: Context, { client, args, write }: Installing): Promise<void> {
  const { world, answer, diagnostics } = context
  const { command, applicationFolder } = await context.modules.mcp()
  const facts: ClientFacts = CLIENTS[client]
  const path = facts.path({ home: world.folders.home, application: applicationFolder })
  const [program, script] = command
  const entry = { ...facts.more, command: program, args: [script, ...args] }
  if (!write) {
    await answer.raw(facts.form === 'toml' ? tomlEntry(facts, entry) : jsonEntries(facts, entry))
    return await diagnostics.note(`add this to ${path}, or run the command again with --yes`)
  }
  const before = readConfiguration(world, path)
  const after = (facts.form === 'toml' ? mergeToml : mergeJson)(before ?? '', { facts, entry, path })
  if (after === before) return await diagnostics.note(`${path} already has this entry`)
  if (before !== undefined) writeWhole(world.files, findFreeName(world.files, path), before)
  if (readConfiguration(world, path) !== before)
    throw new Fault('conflict', `${path} was changed meanwhile, so it was not changed`, {
      hint: 'run the command again'
    })
  writeWhole(world.files, path, after)
  await diagnostics.note(`added ${NAME} to ${path}; restart ${client}`)
}

type Entry = { command: string; args: readonly string[] }

function readConfiguration(world: Pick<World, 'files'>, path: string): string | undefined {
  const bytes = readFileBytes(world.files, path, CONFIGURATION_BYTES_MAX)
  return bytes === undefined ? undefined : utf8Text(bytes, path)
}

const CONFIGURATION_BYTES_MAX = 64 << 20

function jsonEntries({ key }: ClientFacts, entry: Entry): string {
  return `${JSON.stringify({ [key]: { [NAME]: entry } }, null, 2)}\n`
}

type Merging = { facts: ClientFacts; entry: Entry; path: string }

/** Adds or replaces the entry. Everything else keeps its value and order. */
function mergeJson(text: string, { facts, entry, path }: Merging): string {
  if (text.trim() === '') return jsonEntries(facts, entry)
  const whole = parseJsonObject(text.replace(/^\ufeff/, ''))
  const known = whole?.[facts.key] ?? {}
  if (whole === undefined || !isTable(known)) throw makeRefusal(path, `JSON with an object \`${facts.key}\``)
  if (isDeepStrictEqual(known[NAME], entry)) return text
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  '
  return `${JSON.stringify({ ...whole, [facts.key]: { ...known, [NAME]: entry } }, null, indent)}\n`
}

/** JSON strings and arrays of strings are valid TOML, except for escaped DEL, which paths do not contain. */
function tomlEntry({ key }: ClientFacts, { command, args }: Entry): string {
  return `[${key}.${NAME}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`
}

/**
 * Replaces the table of the entry up to the next table, or appends it. No other line changes: the values before and
 * after are compared, and a file in which the text of the entry cannot be found is refused.
 */
function mergeToml(before: string, { facts, entry, path }: Merging): string {
  const values = parseToml(before)
  const { key } = facts
  const known = values?.[key] ?? {}
  if (values === undefined || !isTable(known)) throw makeRefusal(path, `TOML with a table \`${key}\``)
  if (isDeepStrictEqual(known[NAME], entry)) return before
  const ending = before.includes('\r\n') ? '\r\n' : '\n'
  const table = tomlEntry(facts, entry).replaceAll('\n', ending)
  const own = new RegExp(
    `^[ \\t]*\\[[ \\t]*${key}[ \\t]*\\.[ \\t]*["']?${NAME}["']?[ \\t]*\\][^\\n]*\\n?(?:(?!${HEADER})(?:[^\\n]+(?:\\n|$)|\\n))*`,
    'm'
  )
  const gap = before === '' ? '' : before.endsWith('\n') ? ending : ending + ending
  const after = own.test(before)
    ? before.replace(own, (found) => table + (/\n\s*\n$/.test(found) ? ending : ''))
    : before + gap + table
  const expected = { ...values, [key]: { ...known, [NAME]: entry } }
  if (!isDeepStrictEqual(parseToml(after), expected)) throw makeRefusal(path, `TOML with a table [${key}.${NAME}]`)
  return after
}

/** The line that begins a table, or an element of an array of tables. */
const HEADER = '[ \\t]*\\[{1,2}[ \\t]*[\\w"\'-][^\\],]*\\]{1,2}[ \\t]*(?:#[^\\n]*)?\\r?$'

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses TOML into plain objects; undefined if it is invalid. */
function parseToml(text: string): Record<string, unknown> | undefined {
  try {
    return structuredClone({ ...parse(text) })
  } catch {
    return undefined
  }
}

function makeRefusal(path: string, expected: string): Fault {
  return new Fault('invalid_input', `${path} is not plain ${expected}, so it was not changed`, {
    hint: 'print the entry and add it by hand: memctl mcp install --client NAME --print'
  })
}

/** Returns the first name for a copy that is free, so that the earliest content is never overwritten. */
function findFreeName(files: Files, path: string): string {
  let name = `${path}.bak`
  for (let n = 2; files.findEntry(name) !== undefined; n++) name = `${path}.bak${n}`
  return name
}

/** Writes a file so that the client never reads half of it, through a link too. */
function writeWhole(files: Files, path: string, text: string): void {
  makeSystemFault(path, () => {
    files.makeFolders(dirname(path))
    const place = files.find(path) === undefined ? path : files.realPath(path)
    replaceFile(files, { path: place, beside: `${place}.memctl-new` }, Buffer.from(text))
  })
}
