import type { Client } from '../../client/client.ts'
import { Fault } from '../../contract/faults.ts'
import { defineCommand, type Entry } from '../command/command.ts'
import type { Context } from '../command/context.ts'
import { findFolderKey } from '../credentials/find-folder-key.ts'
import { keyFrom } from '../credentials/read-credentials.ts'
import { readCredential, removeCredential, saveCredential } from '../credentials/save-credential.ts'
import { textOption } from '../input/command-line.ts'
import { readInputText } from '../input/read-input-text.ts'
import { cardLines } from '../output/card-lines.ts'
import type { ObjectView } from '../output/result-writer.ts'
import { formatCount } from '../output/short-forms.ts'
import { formatLostKeyHint, loginCommand, makeKeyHint, makeLostKeyHint } from '../service/add-error-hint.ts'
import { type ChosenServer, chooseServer } from '../service/choose-server.ts'
import { findKey, keyVariable } from '../service/find-key.ts'
import { findOwnServer } from '../service/find-own-server.ts'
import { clientWith } from '../service/open-client.ts'

/** Maximum size of a key file in bytes, a whole number of MiB. */
const KEY_BYTES_MAX = 1 << 20

const authLoginCommand = defineCommand<{ keyFile: string | undefined }>({
  name: 'login',
  summary: 'Save an API key for the server after testing it',
  options: [{ flags: '--key-file <file>', about: 'file that contains the key; - is stdin' }],
  about:
    'Prompts for the key, or reads it from a file or stdin with --key-file. The key is never an argument, because other users could ' +
    'see it there. It is saved for this server alone, in a file that only you can read. For a server on this machine, the command ' +
    'uses the saved admin key without a prompt if no other key works.',
  examples: [
    'memctl auth login --server https://memory.example.org',
    'pass show memctl | memctl auth login --key-file -'
  ],
  leaves: 'The key may have been saved: memctl auth status shows it',
  parse: ({ options }) => ({ keyFile: textOption(options, 'keyFile') }),
  run: async (context, { keyFile }) => {
    const { world, modules } = context
    const server = chooseServer(context.settings)
    const { key, access } = (await ownKey(context, server, keyFile)) ?? (await tryKey(context, server, keyFile))
    const path = await saveCredential({ world, withLock: await modules.lock() }, server.origin, { key })
    await context.answer.object(
      { server: server.address, kept_in: path, ...access },
      accessView({ server: server.address, from: path, access })
    )
  }
})

type Login = { key: string; access: KeyAccess }

async function tryKey(context: Context, server: ChosenServer, file: string | undefined): Promise<Login> {
  const key = await readKey(context, server, file)
  return { key, access: await readAccess(await clientWith(context, server, { key })) }
}

/**
 * Returns the admin key that is saved for the data folder, if `server` is the local server of that folder. Returns
 * undefined if a key file is given, if the key for the address works already, or if no saved key works; in an
 * interactive session it then explains how to create another key.
 */
async function ownKey(context: Context, server: ChosenServer, file: string | undefined): Promise<Login | undefined> {
  const { world, diagnostics } = context
  const own = file === undefined ? await findOwnServer(context) : undefined
  if (own?.origin !== server.origin) return undefined
  const there = readCredential(world, server.origin)?.key
  if (there !== undefined && (await testKey(context, server, there)) !== undefined) return undefined
  const kept = findFolderKey(world, own.data_dir)
  const login = kept === undefined ? undefined : await testKey(context, server, kept)
  if (login !== undefined) await diagnostics.note(`using the admin key saved for ${own.data_dir}`)
  else if (context.person) await diagnostics.hint(formatLostKeyHint(makeLostKeyHint(own)))
  return login
}

/** Returns a key with its permissions, or undefined if the server rejects it. */
async function testKey(context: Context, server: ChosenServer, key: string): Promise<Login | undefined> {
  try {
    return { key, access: await readAccess(await clientWith(context, server, { key })) }
  } catch (error) {
    if (error instanceof Fault && error.code === 'unauthenticated') return undefined
    throw error
  }
}

async function readKey(context: Context, server: ChosenServer, file: string | undefined): Promise<string> {
  const { world, person } = context
  // Stdin is read only on request, because it may stay open without any input.
  if (file !== undefined) return keyFrom(await readInputText(world, file, KEY_BYTES_MAX), file === '-' ? 'stdin' : file)
  const named = server.where === undefined ? '' : ` (named by ${server.where})`
  if (person) return keyFrom(await world.terminal.askSecret(`Key for ${server.origin}${named}:`), 'the answer')
  const command = `${loginCommand(server)} --key-file`
  const own = await findOwnServer(context)
  const lost = own?.origin === server.origin ? makeLostKeyHint(own) : undefined
  throw new Fault('input_needed', 'an API key is required, but the session is not interactive', {
    hint: `give ${command} FILE, or - for stdin${lost === undefined ? '' : `; ${formatLostKeyHint(lost)}`}`,
    next: [`${command} FILE`, ...(lost?.next ?? [])]
  })
}

const authLogoutCommand = defineCommand<Record<string, never>>({
  name: 'logout',
  summary: 'Delete the saved API key for the server',
  options: [],
  about: 'The key itself stays valid. To revoke it, use memctl keys revoke.',
  examples: ['memctl auth logout --server https://memory.example.org'],
  leaves: 'The key may have been deleted: memctl auth status shows it',
  parse: () => ({}),
  run: async (context) => {
    const { world, modules, answer, diagnostics } = context
    const server = chooseServer(context.settings)
    const removed = await removeCredential({ world, withLock: await modules.lock() }, server.origin)
    const variable = keyVariable(world, server)
    if (variable !== undefined) await diagnostics.warn(`${variable} still provides a key for ${server.origin}`)
    if (removed) await tellKept(context, server)
    const said = removed ? `deleted the saved key for ${server.origin}` : `no key was saved for ${server.origin}`
    await answer.object(
      { server: server.address, removed },
      { lines: () => [[said]], rows: () => [[server.origin, removed]] }
    )
  }
})

/** Notes that the admin key of a local server stays saved for its data folder, where it may be the only one. */
async function tellKept({ world, modules, diagnostics }: Context, { origin }: ChosenServer): Promise<void> {
  const own = await findOwnServer({ world, modules })
  if (own?.origin !== origin || findFolderKey(world, own.data_dir) === undefined) return
  await diagnostics.note(`its admin key stays saved for ${own.data_dir}; memctl auth login uses it again`)
}

const authStatusCommand = defineCommand<Record<string, never>>({
  name: 'status',
  summary: 'Show which API key is used for the server and what it permits',
  options: [],
  about: 'Exits with 4 if there is no key or the server rejects it.',
  examples: ['memctl auth status', 'memctl auth status --server https://memory.example.org --json'],
  leaves: 'Nothing was changed',
  parse: () => ({}),
  run: async (context) => {
    const server = chooseServer(context.settings)
    const { key, from = '' } = await findKey(context.world, server)
    if (key === undefined) throw await noKey(context, server)
    const access = await readAccess(
      await clientWith(context, server, { key, variable: keyVariable(context.world, server) })
    ).catch((error) => {
      throw explainRefusal(error, from)
    })
    await context.answer.object(
      { server: server.address, key_from: from, ...access },
      accessView({ server: server.address, from, access })
    )
  }
})

async function noKey(context: Context, server: ChosenServer): Promise<Fault> {
  return new Fault('unauthenticated', `no API key for ${server.origin}`, await makeKeyHint(context, server))
}

/** Adds the source of the rejected key to the server's error. */
function explainRefusal(error: unknown, from: string): unknown {
  if (!(error instanceof Fault) || error.code !== 'unauthenticated') return error
  const { hint, next } = error
  return new Fault(error.code, `the server rejected the key from ${from}: ${error.message}`, {
    hint,
    next: [...next],
    cause: error
  })
}

/** The permissions of a key that its server reports. */
type KeyAccess = { admin: boolean; collections: number }

/** Requests the permissions of a key. Rejects with `unauthenticated` if the server rejects the key. */
async function readAccess(client: Client): Promise<KeyAccess> {
  const collections = await client.listCollections()
  return { admin: await isAdmin(client), collections: collections.length }
}

/** Reports whether a key is an admin key: only admins can list keys. */
async function isAdmin(client: Client): Promise<boolean> {
  try {
    await client.listKeys()
    return true
  } catch (error) {
    if (error instanceof Fault && error.code === 'forbidden') return false
    throw error
  }
}

/** Shows the server, the source of the key and its permissions, but never the key. */
function accessView({ server, from, access }: { server: string; from: string; access: KeyAccess }): ObjectView {
  const may = access.admin ? 'everything (admin key)' : 'operations that its grants permit'
  return {
    lines: (page) =>
      cardLines(
        [
          ['server', server],
          ['key from', from],
          ['may do', may],
          ['may read', formatCount(access.collections, 'collection')]
        ],
        page
      )
  }
}

/** The subcommands of `memctl auth`. */
export const AUTH_COMMANDS: readonly Entry[] = [authLoginCommand, authStatusCommand, authLogoutCommand]
