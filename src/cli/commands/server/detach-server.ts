import { dirname, join } from 'node:path'
import { Fault } from '../../../contract/faults.ts'
import type { RunningServer } from '../../../contract/running-server.ts'
import type { DetachedProcess, ServerFlags } from '../../../ports.ts'
import type { Context } from '../../command/context.ts'
import { credentialsPath } from '../../credentials/read-credentials.ts'
import { readCredential } from '../../credentials/save-credential.ts'
import { makeSystemFault } from '../../input/read-file-bytes.ts'
import { cardLines } from '../../output/card-lines.ts'
import { shellWord } from '../../output/short-forms.ts'
import type { ServerHost } from '../../ports/server-host.ts'
import { makeLostKeyHint, makeNoKeyHint } from '../../service/add-error-hint.ts'
import { findDataFolder } from '../../service/find-own-server.ts'
import { hintServer } from './hint-server.ts'
import { failureIn, readLastLines } from './read-tail.ts'
import { NEW_ADMIN_KEY, startWords } from './server-flags.ts'

/** How long a server may take until it answers, in milliseconds: a large storage may have to be migrated. */
const START_WAIT_MS = 60_000

/** A log that is longer when a server starts becomes `server.log.1`. In bytes. */
const LOG_BYTES_MAX = 16 << 20

/** Starts a server in a process of its own, answers with its facts when it is ready, or rejects with what it failed of. */
export async function detachServer(context: Context, flags: ServerFlags, more: readonly string[]): Promise<void> {
  await answerStarted(context, flags, await startDetached(context, flags, more))
}

/**
 * Starts a server in a process of its own, with flags for settings and further ones, and resolves when it is ready, or rejects
 * with what it failed of.
 */
export async function startDetached(
  context: Context,
  flags: ServerFlags,
  more: readonly string[] = []
): Promise<RunningServer> {
  const { world } = context
  const host = await context.modules.server()
  const folder = await findDataFolder(context, host, flags)
  refuseSecond(host, folder, { flags, more })
  const logFile = join(folder, 'server.log')
  makeSystemFault(folder, () => world.files.makeFolders(folder))
  const before = makeSystemFault(logFile, () => rotate(context, logFile))
  const { args, environment } = startWords({ ...flags, data_dir: folder })
  const start = { args: [...args, ...more], environment, logFile }
  const child = makeSystemFault(logFile, () => host.detach(start))
  try {
    return await untilReady(context, { host, folder, child, log: { path: logFile, from: before } })
  } finally {
    child.release()
  }
}

type Wanted = { flags: ServerFlags; more: readonly string[] }

function refuseSecond(host: ServerHost, folder: string, { flags, more }: Wanted): void {
  const facts = host.facts(folder)
  if (facts === undefined || !host.isRunning(facts)) return
  if (more.includes(NEW_ADMIN_KEY)) {
    const message = `a server makes a key as it starts, and one runs already in ${folder}: ${facts.origin} (process ${facts.pid})`
    const { hint, next } = makeLostKeyHint(facts, flags.data_dir)
    throw new Fault('conflict', message, { hint, next })
  }
  throw new Fault('conflict', `a server runs already in ${folder}: ${facts.origin} (process ${facts.pid})`, {
    hint: 'use it, end it with memctl server stop, or give another --data-dir and --port',
    next: ['memctl server status', 'memctl server stop']
  })
}

/** Where in the log the new server's lines begin. */
function rotate({ world: { files } }: Context, path: string): number {
  const size = files.find(path)?.size ?? 0
  if (size <= LOG_BYTES_MAX) return size
  files.rename(path, `${path}.1`)
  files.syncFolder(dirname(path))
  return 0
}

type Starting = {
  host: ServerHost
  folder: string
  child: DetachedProcess
  log: { path: string; from: number }
}

/** What a server that was started says when it is ready; rejects with what it failed of, or where it takes too long. */
export async function untilReady(context: Context, starting: Starting): Promise<RunningServer> {
  const { clock, terminal } = context.world
  const { host, folder, child } = starting
  const over = new AbortController()
  const signal = AbortSignal.any([over.signal, terminal.interrupted])
  const waited = clock.wait(START_WAIT_MS, signal).then(
    () => 'late' as const,
    () => 'stopped' as const
  )
  const ready = child.firstLine.then((line) => (line === undefined ? 'ended' : (JSON.parse(line) as RunningServer)))
  const what = await Promise.race([ready, waited]).finally(() => over.abort())
  if (typeof what === 'object') return what
  if (what === 'ended') throw await explainFailedStart(context, starting, await child.ended)
  host.terminate(child.pid)
  if (what === 'stopped') throw new Fault('cancelled', 'stopped; the server was told to stop too')
  throw new Fault('unavailable', `the server did not answer within ${START_WAIT_MS / 1000} s and was told to stop`, {
    hint: `memctl server logs --data-dir ${shellWord(folder)}`
  })
}

/** What the server said of its failure; where it said nothing, the last lines of its log are shown. */
async function explainFailedStart(
  { world, diagnostics }: Context,
  { log }: Starting,
  how: number | string
): Promise<Fault> {
  const failure = failureIn(world.files, log)
  if (failure !== undefined) return failure
  await diagnostics.show(readLastLines(world.files, log, 10).map((line) => [{ text: line, look: 'dim' }]))
  const ended = typeof how === 'number' ? `ended with ${how}` : `was ended by ${how}`
  return new Fault('unavailable', `the server ${ended} before it answered`, { hint: `see ${log.path}` })
}

async function answerStarted(context: Context, flags: ServerFlags, facts: RunningServer): Promise<void> {
  const { answer, diagnostics, world } = context
  const hasKey = readCredential(world, facts.origin) !== undefined
  await answer.object(facts, {
    lines: (page) =>
      cardLines(
        [
          ['ready', facts.origin],
          ['process', facts.pid],
          ['data', facts.data_dir],
          ['log', facts.log_file],
          ['key', hasKey ? `kept in ${credentialsPath(world)}` : null]
        ],
        page
      )
  })
  if (!hasKey) await diagnostics.hint(makeNoKeyHint(facts, flags))
  await hintServer(context, facts)
}
