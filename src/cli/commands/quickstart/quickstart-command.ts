import { join } from 'node:path'
import type { Connection } from '../../../contract/connection.ts'
import { Fault } from '../../../contract/faults.ts'
import type { MemoryResponse } from '../../../contract/memory-response.ts'
import type { SyncRun } from '../../../contract/sync-run.ts'
import type { ReceiveReport } from '../../../device/device.ts'
import { defineCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { makeSystemFault } from '../../input/read-file-bytes.ts'
import { textLines } from '../../output/card-lines.ts'
import { formatCount, shellWord, shortBytes } from '../../output/short-forms.ts'
import { currentSync, followSyncs, showSyncs } from '../../service/sync/follow-syncs.ts'
import { syncFault } from '../../service/sync/sync-fault.ts'
import { SNAPSHOT_NAME } from '../../snapshots/choose-snapshot.ts'
import { lockOptions } from '../../snapshots/open-snapshot.ts'
import { readExport } from '../../snapshots/read-export.ts'
import { groupOrder } from '../../views/group-order.ts'
import { responseLines } from '../../views/response-lines.ts'
import { countWords } from '../../views/run-list.ts'
import { linkAccounts } from './link-accounts.ts'
import { type OwnServer, ownEnvironment, startOwnServer } from './start-own-server.ts'
import { commandLines, firstLines, lastLines, resultLine, stepLines } from './step-lines.ts'

type Options = { auto: boolean }

export const quickstartCommand = defineCommand<Options>({
  name: 'quickstart',
  summary: 'Try memctl: connect sandbox accounts, sync, export, and search offline',
  options: [{ flags: '--auto', about: 'give consent automatically instead of in the browser' }],
  about:
    'Starts a server on a free port in a new temporary folder, connects a sandbox account of each provider, syncs them, exports ' +
    'the memories, stops the server, and searches the file in a process that cannot use the network. In a terminal, you give ' +
    'consent in the browser; otherwise, and with --auto, the command gives it. Changes none of your files or settings and leaves ' +
    'nothing running. You can run it again.',
  examples: ['memctl quickstart', 'memctl quickstart --auto', 'memctl quickstart --json'],
  leaves: 'The server stops; the files are in a temporary folder that you can delete',
  parse: ({ options }) => ({ auto: options.auto === true }),
  run: async (context, { auto }) => {
    const folder = makeFolder(context)
    try {
      await tellAll(context, folder, context.person && !auto)
    } catch (error) {
      throw isStop(context, error) ? explainStop(folder, error) : error
    }
  }
})

async function tellAll(context: Context, folder: string, byHand: boolean): Promise<void> {
  const { answer } = context
  await answer.story((page) => firstLines(shellWord(folder), page))
  const synced = await atOwnServer(context, folder, byHand)
  const searches: Search[] = []
  await answer.story((page) => textLines('Search the file, in a process that cannot use the network.', page))
  for (const query of QUESTIONS) searches.push(await searchOffline(context, folder, query))
  await answer.story((page) => lastLines(page))
  const report = { folder, snapshot: join(folder, SNAPSHOT_NAME), ...synced, searches }
  if (answer.mode === 'json') await answer.jsonLine(report)
  if (answer.mode === 'jsonl') await answer.jsonLine({ event: 'done', ...report })
}

/** Returns whether a signal or a key press cancelled the command. */
function isStop({ world }: Context, error: unknown): boolean {
  return world.terminal.interrupted.aborted || (error instanceof Fault && error.code === 'cancelled')
}

/** Replaces the hint of a cancelled step, which cannot be resumed because its server stops too. */
function explainStop(folder: string, cause: unknown): Fault {
  return new Fault('cancelled', 'cancelled; the temporary server is stopping', {
    hint: `to delete its files: rm -r ${shellWord(folder)}`,
    cause
  })
}

type Search = { query: string; response: MemoryResponse }

/** Maximum number of results shown for each question. */
const LIMIT = 1

const SERVER_FOLDER = 'server'

function makeFolder({ world }: Context): string {
  const folder = join(world.folders.temporary, `memctl-quickstart-${world.ids.randomHex(4)}`)
  makeSystemFault(folder, () => world.files.makeFolders(folder))
  return folder
}

type Synced = { connections: Connection[]; runs: SyncRun[]; memories: number }

/** Runs the steps that need a server, and stops the server even if a step fails. */
async function atOwnServer(context: Context, folder: string, byHand: boolean): Promise<Synced> {
  const { answer } = context
  const what = 'Start a server on a free port. Without configuration, its providers are sandbox accounts.'
  await answer.story((page) => stepLines(what, `memctl server start --detach --data-dir ${SERVER_FOLDER}`, page))
  const server = await startOwnServer(context, join(folder, SERVER_FOLDER))
  try {
    await answer.story(() => [resultLine(`ready: ${server.facts.origin}`), []])
    const connections = await linkAccounts(server.context, byHand)
    const runs = await syncAccounts(server.context, connections)
    const { memories } = await exportAll(server.context, folder)
    await stop(context, server)
    return { connections, runs, memories }
  } finally {
    const ended = server.end()
    // After Ctrl-C, report at once what is left. The process itself still ends after its server.
    if (!context.world.terminal.interrupted.aborted) await ended
  }
}

async function exportAll(context: Context, folder: string): Promise<ReceiveReport> {
  const { world, answer } = context
  const command = `memctl device export -o ${SNAPSHOT_NAME}`
  await answer.story((page) =>
    stepLines('Export the memories to a file. Every line is verified on arrival.', command, page)
  )
  const client = await context.client()
  const [collection] = await client.listCollections()
  const deviceModule = await context.device()
  const report = await deviceModule.receive(world, {
    chunks: readExport(context, collection?.id ?? '', { skipsDamaged: false }),
    output: join(folder, SNAPSHOT_NAME),
    replacing: 'refuse',
    format: undefined,
    signal: world.terminal.interrupted,
    ...lockOptions(context)
  })
  const { memories, bytes } = report
  await answer.story(() => [resultLine(`${formatCount(memories, 'memory', 'memories')}, ${shortBytes(bytes)}`), []])
  return report
}

async function stop({ answer }: Context, server: OwnServer): Promise<void> {
  const { pid, origin } = server.facts
  const command = `memctl server stop --data-dir ${SERVER_FOLDER}`
  await answer.story((page) => stepLines('Stop the server. The remaining steps need only the file.', command, page))
  if (await server.end()) return await answer.story(() => [resultLine(`stopped: ${origin}`), []])
  throw new Fault('still_pending', `expected the server (process ${pid}) to stop, but it is still running`, {
    hint: `to end it at once: kill -9 ${pid}`
  })
}

/** Searches in a child process where every use of the network throws, and shows the result. */
async function searchOffline({ world, answer }: Context, folder: string, query: string): Promise<Search> {
  const args = ['device', 'search', query, '--limit', String(LIMIT)]
  const command = `memctl ${args.map(shellWord).join(' ')}`
  await answer.story(() => commandLines(command))
  const { exitCode, stdout, stderr } = await world.processes.runSelfOffline(
    [...args, '--snapshot', join(folder, SNAPSHOT_NAME), '--json'],
    ownEnvironment(world, folder)
  )
  if (exitCode !== 0) throw new Fault('internal', `the offline search failed: ${stderr.trim()}`)
  const response = JSON.parse(stdout) as MemoryResponse
  await answer.story((page) => [
    ...responseLines({ response, groups: groupOrder(response).shown, placesIn: () => [], explain: false }, page),
    []
  ])
  return { query, response }
}

/** Maximum time to wait for the first syncs, in milliseconds. */
const SYNC_MS = 5 * 60_000

/**
 * Waits for the first syncs of connections, which start automatically.
 *
 * @throws the error of the first sync that does not complete.
 */
async function syncAccounts(context: Context, connections: readonly Connection[]): Promise<SyncRun[]> {
  const { answer } = context
  const what = 'Wait for the first sync. It starts after you choose what to sync, and repeats every 4 hours.'
  await answer.story((page) => stepLines(what, 'memctl connections wait --for synced', page))
  const client = await context.client()
  const first = async ({ id }: Connection) =>
    currentSync(id, await client.getSchedule({ params: { connection_id: id } }))
  const followed = await Promise.all(connections.map(first))
  const shown = await showSyncs(context)
  try {
    await followSyncs(context, followed, { waitMs: SYNC_MS, shown })
  } finally {
    shown.stop()
  }
  for (const one of followed) {
    const fault = syncFault(context, one, SYNC_MS)
    if (fault !== undefined) throw fault
  }
  const runs = followed.flatMap(({ run }) => run ?? [])
  await answer.story(() => [...runs.map((run) => resultLine(runWords(run, connections))), []])
  return runs
}

function runWords(run: SyncRun, connections: readonly Connection[]): string {
  const provider = connections.find(({ id }) => id === run.connection_id)?.provider ?? run.connection_id
  return `${provider.padEnd(PROVIDER_COLUMNS)}${countWords(run).join(' · ')}`
}

const PROVIDER_COLUMNS = 13

/** Questions about the sandbox accounts: one each for the mailbox, the drive, the chat and the notes. */
export const QUESTIONS: readonly string[] = [
  'how long does the battery of the buoy last?',
  'what do I do when the plotter jams?',
  'when does the alarm code of the office change?',
  'why did the bracket of unit 7 come loose?'
]
