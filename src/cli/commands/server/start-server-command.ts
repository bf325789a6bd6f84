import { dirname } from 'node:path'
import { Fault, faultLike } from '../../../contract/faults.ts'
import type { RunningServer } from '../../../contract/running-server.ts'
import type { ServerFlags } from '../../../ports.ts'
import { defineCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { findFolderKey, folderName, isFolderName } from '../../credentials/find-folder-key.ts'
import { credentialsPath, readCredentials } from '../../credentials/read-credentials.ts'
import { credentialsPlace, readCredential, saveCredential } from '../../credentials/save-credential.ts'
import { toPlainLine } from '../../output/to-plain-text.ts'
import { makeNoKeyHint } from '../../service/add-error-hint.ts'
import { findDataFolder } from '../../service/find-own-server.ts'
import { detachServer } from './detach-server.ts'
import { hintServer } from './hint-server.ts'
import { NEW_ADMIN_KEY, NEW_STORE, SERVER_OPTIONS, serverFlags, startLine } from './server-flags.ts'

/** `once` has the flags that apply to this start only, as typed. */
type Options = { flags: ServerFlags; detach: boolean; once: readonly string[] }

export const startServerCommand = defineCommand<Options>({
  name: 'start',
  summary: 'Run a server on this machine',
  options: [
    ...SERVER_OPTIONS,
    { flags: '--detach', about: 'run in the background and log to server.log in the data folder' },
    { flags: NEW_ADMIN_KEY, about: 'create and save another admin key, to replace a lost one' },
    { flags: NEW_STORE, about: 'start with an empty database although there was one before; keep the key file' }
  ],
  about:
    'Needs no configuration. The first start creates a collection named default and an admin key, which is saved where the other ' +
    'commands find it. Ctrl-C or memctl server stop finishes the requests in flight and stops the server with exit code 0. The log ' +
    'goes to stderr. With --json, one line on stdout has pid, origin, data_dir and more as soon as the server is ready.',
  examples: [
    'memctl server start',
    'memctl server start --detach --port 0',
    'memctl server start --new-admin-key',
    'memctl server start --new-store',
    'memctl server start --database-url postgres://memctl@db.example/memctl'
  ],
  // A stop waits for the requests in flight, and the command itself handles the signal.
  blocks: true,
  leaves: 'Everything that the server acknowledged is stored',
  parse: ({ options }) => ({
    flags: serverFlags(options),
    detach: options.detach === true,
    once: [...(options.newAdminKey === true ? [NEW_ADMIN_KEY] : []), ...(options.newStore === true ? [NEW_STORE] : [])]
  }),
  run: async (context, options) => {
    try {
      await (options.detach ? detach(context, options) : serve(context, options))
    } catch (error) {
      throw withOwnFlags(error, options)
    }
  }
})

function detach(context: Context, { flags, once }: Options): Promise<void> {
  return detachServer(context, flags, once)
}

async function serve(context: Context, { flags, once }: Options): Promise<void> {
  const { world } = context
  const host = await context.modules.server()
  // Errors of the credentials file are reported before a key is created.
  const hasKey = findFolderKey(world, await findDataFolder(context, host, flags)) !== undefined
  const settings = await host.settings(flags)
  const isGiven = settings.some(({ key, value }) => key === 'admin_key' && value !== null)
  await host.run(flags, {
    signal: world.terminal.interrupted,
    newAdminKey: once.includes(NEW_ADMIN_KEY),
    newStore: once.includes(NEW_STORE),
    keysFolder: dirname(credentialsPlace(world)),
    hasKey,
    onReady: async (facts, madeKey) => {
      await keepServerKey(context, facts, { madeKey, isGiven })
      await announce(context, flags, facts)
    }
  })
}

/**
 * Adds the start command that fixes the error to a fault: with a free port, or with an empty store. The command keeps
 * all given flags.
 */
function withOwnFlags(error: unknown, { flags, detach, once }: Options): unknown {
  if (!(error instanceof Fault)) return error
  const more = [...once, ...(detach ? ['--detach'] : [])]
  if (error.code === 'address_in_use') {
    const start = startLine({ ...flags, port: '0' }, more)
    const hint = `stop the process that uses the port, or choose a free port: ${start}`
    return faultLike(error, { hint, next: ['memctl server status', start] })
  }
  const plain = startLine({}, [NEW_STORE])
  if (!error.next.includes(plain)) return error
  const start = startLine(flags, [NEW_STORE, ...more])
  return faultLike(error, { hint: error.hint?.replace(plain, start), next: [start] })
}

/** Announces that the server is ready: on stderr, or in JSON mode on stdout. */
async function announce(context: Context, flags: ServerFlags, facts: RunningServer): Promise<void> {
  const { answer, diagnostics, world } = context
  if (answer.mode === 'json' || answer.mode === 'jsonl') return await answer.object(facts, { lines: () => [] })
  const text = `ready: ${facts.origin} (process ${facts.pid}, data in ${facts.data_dir})`
  await world.terminal.errors.write(`${toPlainLine(text)}\n`)
  if (readCredential(world, facts.origin) === undefined) await diagnostics.hint(makeNoKeyHint(facts, flags))
  await hintServer(context, facts)
}

/**
 * Saves the admin key so that the next commands find it. A key that this start created is saved for the server's origin
 * and for its data folder, because the same server may later have another address, and another server may have this
 * one. A key that the user saved with `auth login` stays. The key is never shown. If a write fails, the server
 * continues only if the key is also known from the settings or saved for the folder.
 */
async function keepServerKey(
  context: Context,
  { origin, data_dir }: RunningServer,
  { madeKey, isGiven }: FirstKey
): Promise<void> {
  const { world } = context
  const folder = folderName(data_dir)
  if (madeKey !== undefined) {
    const isKept = await save(context, { names: [folder, origin], key: madeKey, isKnown: isGiven })
    if (isKept)
      await context.diagnostics.note(`created an admin key for ${origin} and saved it in ${credentialsPath(world)}`)
    return
  }
  const { byOrigin } = readCredentials(world)
  const kept = byOrigin.get(folder)?.key
  const there = byOrigin.get(origin)?.key
  const ofServers = [...byOrigin].filter(([name]) => isFolderName(name)).map(([, { key }]) => key)
  const mayChange = there === undefined || ofServers.includes(there)
  if (kept === undefined || kept === there || !mayChange) return
  if (await save(context, { names: [origin], key: kept, isKnown: true }))
    await context.diagnostics.note(`commands now use the admin key of this server for ${origin}`)
}

/** The key that a start created, if any, and whether the settings provide it. */
type FirstKey = { madeKey: string | undefined; isGiven: boolean }

type Kept = { names: readonly string[]; key: string; isKnown: boolean }

/** Saves the key under all names. Returns whether it was saved. */
async function save({ world, modules, diagnostics }: Context, { names, key, isKnown }: Kept): Promise<boolean> {
  const withLock = await modules.lock()
  try {
    for (const name of names) await saveCredential({ world, withLock }, name, { key, name: 'admin' })
    return true
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    if (isKnown && error.code === 'system_refused') {
      await diagnostics.note(`cannot save the admin key for ${names.at(-1)}: ${error.message}`)
      return false
    }
    throw new Fault(error.code, `cannot save the admin key: ${error.message}`, {
      hint: `fix ${credentialsPath(world)}, then run memctl server start --new-admin-key`,
      cause: error
    })
  }
}
