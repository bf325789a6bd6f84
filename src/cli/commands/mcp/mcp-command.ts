import { Fault } from '../../../contract/faults.ts'
import type { Device } from '../../../device/device.ts'
import { defineCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { VERSION } from '../../command/version.ts'
import { type CommandLine, integerOption, textOption, textsOption } from '../../input/command-line.ts'
import type { McpOptions } from '../../ports/lazy-modules.ts'
import { COLLECTION_OPTION, collectionId } from '../../service/choose-collection.ts'
import { chooseServer } from '../../service/choose-server.ts'
import { chooseSnapshot } from '../../snapshots/choose-snapshot.ts'
import { openSnapshot, openSnapshotForStoring } from '../../snapshots/open-snapshot.ts'
import { CLIENTS, installEntry, isClient, type McpClient } from './install-entry.ts'

type Serving = Pick<McpOptions, 'maxChars' | 'structured' | 'limits'>

type Options = { serving: Serving; collection: string | undefined } & (
  | { install?: undefined }
  | { install: McpClient; write: boolean }
)

export const mcpCommand = defineCommand<Options>({
  name: 'mcp',
  summary: 'Run a memory server for assistants: Claude, Cursor, VS Code, Codex, Gemini',
  words: [{ name: '[install]', about: 'add this server to the configuration of a client', choices: ['install'] }],
  options: [
    {
      ...COLLECTION_OPTION,
      about: `serve a collection of the server instead of a snapshot: ${COLLECTION_OPTION.about}`
    },
    { flags: '--allow-write', about: 'let the assistant store memories' },
    { flags: '--allow-forget', about: 'let the assistant forget memories by their ids' },
    {
      flags: '--only-origin <name>',
      about: 'show only memories from this provider, format, file or client',
      repeat: true
    },
    { flags: '--exclude-origin <name>', about: 'hide memories from it, such as mailbox', repeat: true },
    { flags: '--max-chars <n>', about: 'maximum length of an answer; 12000 by default' },
    { flags: '--structured', about: 'send answers as structuredContent as well' },
    { flags: '--client <name>', about: `with install: ${Object.keys(CLIENTS).join(', ')}` },
    { flags: '--print', about: 'with install: print the entry without writing it; the default without --yes' }
  ],
  about:
    'Speaks the Model Context Protocol over stdin and stdout until the client closes stdin. Without flags an assistant ' +
    'can only search and read. Any number of servers and commands may use one snapshot at the same time.\n' +
    'With --collection it forwards every request to the server, with the key of memctl auth login.\n' +
    'install prints what to add to the configuration of a client. With --yes it writes the file and keeps a copy beside it; ' +
    'the other flags become arguments of the entry.',
  examples: [
    'memctl mcp --snapshot notes.mem.jsonl --allow-write',
    'memctl mcp --collection 018f3a --exclude-origin mailbox',
    'memctl mcp install --client claude-code',
    'memctl mcp install --client cursor --allow-write --exclude-origin mailbox --yes'
  ],
  leaves: 'Each memory is stored completely or not at all',
  parse: parseMcp,
  run: async (context, options) => {
    const { serving, collection } = options
    const source =
      collection === undefined ? findSnapshot(context) : { collectionId: await collectionId(context, collection) }
    if (options.install !== undefined) {
      const args = ['mcp', ...toSourceArguments(context, source), ...toArguments(serving)]
      return await installEntry(context, { client: options.install, args, write: options.write && context.flags.yes })
    }
    if ('collectionId' in source) return await serveCollection(context, { ...serving, ...source })
    const work = (device: Device): Promise<void> => serve(context, device, serving)
    if (!serving.limits.write) return await openSnapshot(context, work)
    await openSnapshotForStoring(context, { test: async () => undefined, work })
  }
})

/** What is served. */
type McpSource = { path: string } | { collectionId: string }

function findSnapshot({ world, settings }: Context): { path: string } {
  const { path } = chooseSnapshot(world, settings)
  if (path !== '-') return { path }
  throw new Fault('usage', 'memctl mcp cannot read the snapshot from stdin', { hint: 'use --snapshot FILE' })
}

/** Writes the source as arguments that do not depend on the current folder. */
function toSourceArguments({ settings }: Context, source: McpSource): string[] {
  if ('path' in source) return ['--snapshot', source.path]
  return ['--server', chooseServer(settings).address, '--collection', source.collectionId]
}

async function serveCollection(context: Context, serving: Serving & { collectionId: string }): Promise<void> {
  const module = await context.modules.mcp()
  const { interrupted } = context.world.terminal
  await module.serveCollection(await context.client(), { ...serving, version: VERSION, interrupted })
}

async function serve({ modules, world }: Context, device: Device, serving: Serving): Promise<void> {
  const module = await modules.mcp()
  const { interrupted } = world.terminal
  await module.serve(device, { ...serving, version: VERSION, cacheFolder: world.folders.cache, interrupted })
}

const CHARACTERS = { least: 1000, most: 1_000_000 }
const CHARACTERS_DEFAULT = 12_000

function parseMcp({ words: [word], options }: CommandLine): Options {
  const serving: Serving = {
    maxChars: integerOption({ 'max-chars': options.maxChars }, 'max-chars', CHARACTERS) ?? CHARACTERS_DEFAULT,
    structured: options.structured === true,
    limits: {
      write: options.allowWrite === true,
      forget: options.allowForget === true,
      onlyOrigins: textsOption(options, 'onlyOrigin'),
      excludedOrigins: textsOption(options, 'excludeOrigin')
    }
  }
  const client = textOption(options, 'client')
  const collection = textOption(options, 'collection')
  if (collection !== undefined && options.snapshot !== undefined)
    throw new Fault('usage', '--collection and --snapshot cannot be used together', {
      hint: 'memctl mcp --collection ID'
    })
  if (word === undefined && client === undefined && options.print !== true) return { serving, collection }
  if (word !== undefined && word !== 'install')
    throw new Fault('usage', `unknown word '${word}': expected install`, { hint: 'memctl mcp install --client cursor' })
  const names = Object.keys(CLIENTS).join(', ')
  if (word === undefined)
    throw new Fault('usage', '--client and --print need install', { hint: 'memctl mcp install --client cursor' })
  if (client === undefined || !isClient(client))
    throw new Fault(
      'usage',
      client === undefined ? `missing --client: expected ${names}` : `invalid --client '${client}': expected ${names}`,
      {
        hint: 'memctl mcp install --client claude-code'
      }
    )
  return { install: client, write: options.print !== true, serving, collection }
}

/** Writes the options as arguments of the entry that a client starts. */
function toArguments({ maxChars, structured, limits }: Serving): string[] {
  return [
    ...(limits.write ? ['--allow-write'] : []),
    ...(limits.forget ? ['--allow-forget'] : []),
    ...limits.onlyOrigins.flatMap((name) => ['--only-origin', name]),
    ...limits.excludedOrigins.flatMap((name) => ['--exclude-origin', name]),
    ...(maxChars === CHARACTERS_DEFAULT ? [] : ['--max-chars', String(maxChars)]),
    ...(structured ? ['--structured'] : [])
  ]
}
