import { Fault } from '../../../contract/faults.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { folderKey } from '../../credentials/folder-credential.ts'
import { keyFrom } from '../../credentials/key-text.ts'
import { readCredential, saveCredential } from '../../credentials/save-credential.ts'
import { textOption } from '../../input/option-values.ts'
import { readInputText } from '../../input/read-input.ts'
import { type ChosenServer, chooseServer } from '../../service/choose-server.ts'
import { clientWith } from '../../service/connect.ts'
import { ifLost, loginCommand, lostKeyRemedy } from '../../service/key-remedy.ts'
import { runningOwnServer } from '../../service/own-server.ts'
import { accessOf, accessView, type KeyAccess } from './key-access.ts'

/** A file with a key is not larger. In bytes; a whole number of MiB. */
const KEY_BYTES_MAX = 1 << 20

export const login = defineCommand<{ keyFile: string | undefined }>({
  name: 'login',
  summary: 'keep a key for a server, after trying it',
  options: [{ flags: '--key-file <file>', about: 'the key is in a file; - is stdin' }],
  about:
    'The key is asked for, or read with --key-file from a file or stdin; it is never a word of a command, where others could see it. It is ' +
    'kept in a file that only you may read, for this server alone. The admin key that is kept for the server of this machine is taken ' +
    'without a question where none else works.',
  examples: [
    'memctl auth login --server https://memory.example.org',
    'pass show memctl | memctl auth login --key-file -'
  ],
  leaves: 'The key was kept or it was not',
  parse: ({ options }) => ({ keyFile: textOption(options, 'keyFile') }),
  run: async (context, { keyFile }) => {
    const { world, rooms } = context
    const server = chooseServer(context.settings)
    const { key, access } = (await ownKey(context, server, keyFile)) ?? (await tried(context, server, keyFile))
    const path = await saveCredential({ world, withLock: await rooms.lock() }, server.origin, { key })
    await context.answer.object(
      { server: server.address, kept_in: path, ...access },
      accessView({ server: server.address, from: path, access })
    )
  }
})

type Login = { key: string; access: KeyAccess }

async function tried(context: Context, server: ChosenServer, file: string | undefined): Promise<Login> {
  const key = await givenKey(context, server, file)
  return { key, access: await accessOf(await clientWith(context, server, { key })) }
}

/**
 * The admin key that is kept for the data folder of this machine's server, where the server that is meant is that one; undefined where
 * a key is named, where one works already, and where there is none: then it is said how another one is made.
 */
async function ownKey(context: Context, server: ChosenServer, file: string | undefined): Promise<Login | undefined> {
  const { world, talk } = context
  const own = file === undefined ? await runningOwnServer(context) : undefined
  if (own?.origin !== server.origin) return undefined
  const there = readCredential(world, server.origin)?.key
  if (there !== undefined && (await takenKey(context, server, there)) !== undefined) return undefined
  const kept = folderKey(world, own.data_dir)
  const login = kept === undefined ? undefined : await takenKey(context, server, kept)
  if (login !== undefined) await talk.note(`took the admin key that is kept for ${own.data_dir}`)
  else if (context.person) await talk.hint(ifLost(lostKeyRemedy(own)))
  return login
}

/** What a key may do; undefined where the server refuses it. */
async function takenKey(context: Context, server: ChosenServer, key: string): Promise<Login | undefined> {
  try {
    return { key, access: await accessOf(await clientWith(context, server, { key })) }
  } catch (error) {
    if (error instanceof Fault && error.code === 'unauthenticated') return undefined
    throw error
  }
}

async function givenKey(context: Context, server: ChosenServer, file: string | undefined): Promise<string> {
  const { world, person } = context
  // Stdin only where it is named: one that nobody writes to and nobody closes would be waited for without end.
  if (file !== undefined) return keyFrom(await readInputText(world, file, KEY_BYTES_MAX), file === '-' ? 'stdin' : file)
  const named = server.where === undefined ? '' : ` (named by ${server.where})`
  if (person) return keyFrom(await world.terminal.askSecret(`Key for ${server.origin}${named}:`), 'the answer')
  const command = `${loginCommand(server)} --key-file`
  const own = await runningOwnServer(context)
  const lost = own?.origin === server.origin ? lostKeyRemedy(own) : undefined
  throw new Fault('input_needed', 'a key is needed, and nobody is here to type it', {
    hint: `give ${command} FILE, or - for stdin${lost === undefined ? '' : `; ${ifLost(lost)}`}`,
    next: [`${command} FILE`, ...(lost?.next ?? [])]
  })
}
