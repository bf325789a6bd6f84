import type { ServerFlags } from '../../../ports.ts'
import { ask, makeDeclinedFault } from '../../command/ask.ts'
import { defineCommand } from '../../command/command.ts'
import { formatCount } from '../../output/short-forms.ts'
import { DATA_DIR_OPTION, DATABASE_URL_OPTION, serverFlags } from './server-flags.ts'

export const forgetCredentialsCommand = defineCommand<{ flags: ServerFlags }>({
  name: 'forget-credentials',
  summary: 'Forget the stored credentials whose key file is lost, so that the server can start again',
  options: [DATA_DIR_OPTION, DATABASE_URL_OPTION],
  about:
    'For a lost key file, or an older copy of it. Stop all servers first. Credentials that the key file can still decrypt are ' +
    'kept, and so are collections, memories, connections, their selections and API keys. Each connection whose credentials are ' +
    'forgotten reports that its account must be connected again. If you find the key file later, it is of no use any more.',
  examples: [
    'memctl server forget-credentials',
    'memctl server forget-credentials --yes && memctl server start --detach'
  ],
  leaves: 'Some credentials may be forgotten already; run it again to continue',
  parse: ({ options }) => ({ flags: serverFlags(options) }),
  run: async (context, { flags }) => {
    const host = await context.modules.server()
    const isMeant = await ask(context, {
      text: 'Permanently forget all stored credentials that the key file cannot decrypt?',
      otherwise: false,
      flag: '--yes',
      command: 'memctl server forget-credentials --yes'
    })
    if (!isMeant) throw makeDeclinedFault('nothing was forgotten')
    const result = await host.forgetCredentials(flags)
    const { key_id, forgotten } = result
    const text = `${formatCount(forgotten, 'credential')} forgotten; the vault key is ${key_id}`
    await context.answer.object(result, { lines: () => [[text]], rows: () => [[key_id, forgotten]] })
    if (forgotten > 0)
      await context.diagnostics.hint('start the server, then connect each account again: memctl connections list')
  }
})
