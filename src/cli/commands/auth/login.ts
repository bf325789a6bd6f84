import { Fault } from '../../../contract/faults.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { keyFrom } from '../../credentials/key-text.ts'
import { saveCredential } from '../../credentials/save-credential.ts'
import { textOption } from '../../input/option-values.ts'
import { readInputText } from '../../input/read-input.ts'
import { type ChosenServer, chooseServer } from '../../service/choose-server.ts'
import { clientWith, loginCommand } from '../../service/connect.ts'
import { accessOf, accessView } from './key-access.ts'

/** A file with a key is not larger. In bytes; a whole number of MiB. */
const KEY_BYTES_MAX = 1 << 20

export const login = defineCommand<{ keyFile: string | undefined }>({
  name: 'login',
  summary: 'keep a key for a server, after trying it',
  options: [{ flags: '--key-file <file>', about: 'the key is in a file; - is stdin' }],
  about:
    'The key is asked for, or read with --key-file from a file or stdin; it is never a word of a command, where others could see it. It is ' +
    'kept in a file that only you may read, for this server alone.',
  examples: [
    'memctl auth login --server https://memory.example.org',
    'pass show memctl | memctl auth login --key-file -'
  ],
  leaves: 'The key was kept or it was not',
  parse: ({ options }) => ({ keyFile: textOption(options, 'keyFile') }),
  run: async (context, { keyFile }) => {
    const { world, rooms } = context
    const server = chooseServer(context.settings)
    const key = await givenKey(context, server, keyFile)
    const access = await accessOf(await clientWith(context, server, { key }))
    const path = await saveCredential({ world, withLock: await rooms.lock() }, server.origin, { key })
    await context.answer.object(
      { server: server.address, kept_in: path, ...access },
      accessView({ server: server.address, from: path, access })
    )
  }
})

async function givenKey(context: Context, server: ChosenServer, file: string | undefined): Promise<string> {
  const { world, person } = context
  // Stdin only where it is named: one that nobody writes to and nobody closes would be waited for without end.
  if (file !== undefined) return keyFrom(await readInputText(world, file, KEY_BYTES_MAX), file === '-' ? 'stdin' : file)
  const named = server.where === undefined ? '' : ` (named by ${server.where})`
  if (person) return keyFrom(await world.terminal.askSecret(`Key for ${server.origin}${named}:`), 'the answer')
  const command = `${loginCommand(server)} --key-file`
  throw new Fault('input_needed', 'a key is needed, and nobody is here to type it', {
    hint: `give ${command} FILE, or - for stdin`,
    next: [`${command} FILE`]
  })
}
