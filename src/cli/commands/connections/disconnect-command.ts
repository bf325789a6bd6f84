import type { Client } from '../../../client/client.ts'
import type { Disconnected, NamedConnection } from '../../../contract/connection.ts'
import { Fault } from '../../../contract/faults.ts'
import { ask, askForLoss, makeDeclinedFault } from '../../command/ask.ts'
import { defineCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { type CommandLine, textOption, textsOption } from '../../input/command-line.ts'
import type { ListView } from '../../output/result-writer.ts'
import { formatCount } from '../../output/short-forms.ts'
import { CONNECTION_WORD, findConnectionId, SEARCHED_COLLECTION_OPTION } from '../../service/find-connection-id.ts'
import { nextCommand } from '../../service/next-command.ts'
import { accountText } from '../../views/connection-list.ts'

type Options = {
  ids: readonly string[]
  collection: string | undefined
  deleteMemories: boolean
  confirmed: readonly string[]
  failOnWarning: boolean
  ignoreMissing: boolean
}

export const disconnectCommand = defineCommand<Options>({
  name: 'disconnect',
  summary: 'Disconnect accounts, and delete their memories if requested',
  words: [{ name: '<ids...>', ...CONNECTION_WORD }],
  options: [
    SEARCHED_COLLECTION_OPTION,
    { flags: '--delete-memories', about: 'also delete the synced memories; requires --confirm or typing the id' },
    {
      flags: '--confirm <id>',
      about: 'full connection id, to delete its memories without a prompt; repeatable',
      repeat: true
    },
    {
      flags: '--fail-on-warning',
      about: 'exit 9 if the server warns, for example about memories that it could not delete'
    },
    { flags: '--ignore-missing', about: 'skip connections that do not exist' }
  ],
  about:
    'Disconnecting the last connection of an account revokes the access at the provider. Disconnecting again changes ' +
    'nothing.',
  examples: ['memctl connections disconnect ada@example.com', 'memctl connections disconnect 4f81c2 --yes --json'],
  leaves: 'Each connection is either disconnected or unchanged; memctl connections list shows which',
  parse: parseDisconnect,
  run
})

function parseDisconnect({ words, options }: CommandLine): Options {
  const confirmed = textsOption(options, 'confirm').map((id) => id.toLowerCase())
  const deleteMemories = options.deleteMemories === true
  if (confirmed.length > 0 && !deleteMemories)
    throw new Fault('usage', '--confirm requires --delete-memories', {
      hint: 'use --yes to disconnect without deleting memories'
    })
  return {
    ids: words,
    collection: textOption(options, 'collection'),
    deleteMemories,
    confirmed,
    failOnWarning: options.failOnWarning === true,
    ignoreMissing: options.ignoreMissing === true
  }
}

/** Asks for all confirmations before it disconnects anything. */
async function run(context: Context, options: Options): Promise<void> {
  const client = await context.client()
  const connections = await findConnections(context, client, options)
  checkConfirmed(context, connections, options)
  for (const connection of connections)
    if (!(await mayEnd(context, connection, { options, connections })))
      throw makeDeclinedFault('nothing was disconnected')
  const ended: Ended[] = []
  for (const { id } of connections) {
    const query = options.deleteMemories ? { delete_memories: 'true' as const } : {}
    ended.push({ id, ...(await client.disconnect({ params: { connection_id: id }, query })) })
  }
  const warnings = ended.flatMap((one) => one.warnings)
  for (const { code, message } of warnings) await context.diagnostics.warn(`${code}: ${message}`)
  await answerEnded(context, ended)
  if (warnings.length > 0 && options.failOnWarning)
    throw new Fault('warnings', `finished with ${formatCount(warnings.length, 'warning')}`)
}

async function findConnections(
  context: Context,
  client: Client,
  { ids, collection, ignoreMissing }: Options
): Promise<NamedConnection[]> {
  const connections = new Map<string, NamedConnection>()
  for (const given of ids) {
    try {
      const connection_id = await findConnectionId(context, given, collection)
      connections.set(
        connection_id,
        await client.getConnection({ params: { connection_id }, query: { include: 'names' } })
      )
    } catch (error) {
      if (!ignoreMissing || !(error instanceof Fault) || error.code !== 'not_found') throw error
      await context.diagnostics.note(`${error.message}; skipped`)
    }
  }
  return [...connections.values()]
}

/** Checks that with `--confirm`, each of several connections is confirmed. */
function checkConfirmed(context: Context, connections: readonly NamedConnection[], { confirmed }: Options): void {
  if (confirmed.length === 0 || connections.length < 2) return
  const missing = connections.filter(({ id, status }) => status !== 'revoked' && !confirmed.includes(id))
  if (missing.length === 0) return
  const hint = commandFor(context, connections, true)
  const flags = missing.map(({ id }) => `--confirm ${id}`).join(' ')
  throw new Fault('usage', `missing ${flags}`, { hint, next: [hint] })
}

async function mayEnd(
  context: Context,
  connection: NamedConnection,
  { options, connections }: { options: Options; connections: readonly NamedConnection[] }
): Promise<boolean> {
  const { id, provider, status, items_synced } = connection
  if (status === 'revoked') return true
  const about = [[`  ${provider}  ${accountText(connection)}  ${formatCount(items_synced, 'item')}  ${id}`]]
  // An interactive session prompts for each connection; otherwise one command confirms all of them.
  const command = commandFor(context, context.person ? [connection] : connections, options.deleteMemories)
  if (!options.deleteMemories) {
    const text = 'Disconnect this account? Its synced memories are kept.'
    return await ask(context, { about, text, otherwise: false, flag: '--yes', command })
  }
  const confirmed = options.confirmed.find((one) => one === id) ?? options.confirmed[0]
  const text = 'Disconnect this account and permanently delete its synced memories?'
  return await askForLoss(context, { about, text, id, confirmed, command })
}

/** Returns the command that disconnects without prompts. */
function commandFor(context: Context, connections: readonly NamedConnection[], deleteMemories: boolean): string {
  const open = connections.filter(({ status }) => status !== 'revoked').map(({ id }) => id)
  const flags = deleteMemories ? `--delete-memories ${open.map((id) => `--confirm ${id}`).join(' ')}` : '--yes'
  return nextCommand(context, `memctl connections disconnect ${open.join(' ')} ${flags}`)
}

type Ended = Disconnected & { id: string }

/** Writes the result of the interface for one connection, or a list for several. */
async function answerEnded({ answer }: Context, ended: readonly Ended[]): Promise<void> {
  const [only, second] = ended
  if (only === undefined || second !== undefined) return await answer.list(ended, LIST)
  const { message, warnings } = only
  const rows = () => [[only.id, message, warnings]]
  await answer.object({ message, warnings }, { lines: () => [[message]], rows })
}

const LIST: ListView<Ended> = {
  columns: [
    { name: 'id', value: ({ id }) => id },
    { name: 'message', value: ({ message }) => message, flexible: true },
    {
      name: 'warnings',
      value: ({ warnings }) => warnings,
      format: ({ warnings }) => warnings.map(({ code }) => code).join(', ')
    }
  ],
  json: (one) => one
}
