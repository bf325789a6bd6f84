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

/** How long a server may take to become ready, in milliseconds: it may have to migrate a large database. */
const START_WAIT_MS = 60_000

/** Maximum size of a log in bytes; at the next start a larger one is renamed to `server.log.1`. */
const LOG_BYTES_MAX = 16 << 20

/**
 * Starts a server in a process of its own and prints its facts when it is ready. Rejects with the reason if it fails.
 */
export async function detachServer(context: Context, flags: ServerFlags, more: readonly string[]): Promise<void> {
  await answerStarted(context, flags, await startDetached(context, flags, more))
}

/**
 * Starts a server in a process of its own with the given settings and further flags. Resolves when the server is ready;
 * rejects with the reason if it fails.
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
    const message = `cannot create an admin key: a server is already running in ${folder}: ${facts.origin} (process ${facts.pid})`
    const { hint, next } = makeLostKeyHint(facts, flags.data_dir)
    throw new Fault('conflict', message, { hint, next })
  }
  throw new Fault('conflict', `a server is already running in ${folder}: ${facts.origin} (process ${facts.pid})`, {
    hint: 'use it, stop it with memctl server stop, or choose another --data-dir and --port',
    next: ['memctl server status', 'memctl server stop']
  })
}

/** Rotates a log that is too large. Returns the offset at which the lines of the new server begin. */
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

/** Returns the facts that a started server prints when it is ready. Rejects if it ends first or takes too long. */
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
  if (what === 'stopped') throw new Fault('cancelled', 'stopped, and asked the server to stop')
  throw new Fault('unavailable', `the server was not ready within ${START_WAIT_MS / 1000} s and was asked to stop`, {
    hint: `memctl server logs --data-dir ${shellWord(folder)}`
  })
}

/** Returns the error that a failed server logged last. If it logged none, shows the last lines of its log. */
async function explainFailedStart(
  { world, diagnostics }: Context,
  { log }: Starting,
  how: number | string
): Promise<Fault> {
  const failure = failureIn(world.files, log)
  if (failure !== undefined) return failure
  await diagnostics.show(readLastLines(world.files, log, 10).map((line) => [{ text: line, look: 'dim' }]))
  const ended = typeof how === 'number' ? `ended with exit code ${how}` : `was stopped by ${how}`
  return new Fault('unavailable', `the server ${ended} before it was ready`, { hint: `see ${log.path}` })
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
          ['key', hasKey ? `saved in ${credentialsPath(world)}` : null]
        ],
        page
      )
  })
  if (!hasKey) await diagnostics.hint(makeNoKeyHint(facts, flags))
  await hintServer(context, facts)
}
