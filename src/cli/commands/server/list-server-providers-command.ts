import type { ServerProvider } from '../../../contract/running-server.ts'
import type { ServerFlags } from '../../../ports.ts'
import { defineCommand } from '../../command/command.ts'
import type { ListView } from '../../output/result-writer.ts'
import { DATA_DIR_OPTION, serverFlags } from './server-flags.ts'

export const listServerProvidersCommand = defineCommand<{ flags: ServerFlags }>({
  name: 'list',
  summary: 'List the providers of the server and how each is configured',
  options: [DATA_DIR_OPTION],
  about:
    'Shows the providers that a server started now would offer. Never shows secrets. For a running server, use memctl providers.',
  examples: ['memctl server providers list', 'memctl server providers list --json'],
  pages: () => true,
  leaves: 'Nothing was changed',
  parse: ({ options }) => ({ flags: serverFlags(options) }),
  run: async (context, { flags }) => {
    const host = await context.modules.server()
    await context.answer.list(await host.providers(flags), LIST)
  }
})

const LIST: ListView<ServerProvider> = {
  columns: [
    { name: 'provider', value: ({ provider }) => provider },
    { name: 'enabled', value: ({ enabled }) => enabled, format: stateText },
    { name: 'client_id', value: (one) => one.client_id, flexible: true, leaves: 1 },
    {
      name: 'client_secret_set',
      value: (one) => one.client_secret_set,
      format: (one) => (one.client_secret_set ? 'set' : ''),
      leaves: 2
    },
    { name: 'api_url', value: (one) => one.api_url, flexible: true, leaves: 3 },
    { name: 'authorize_url', value: (one) => one.authorize_url, pipeOnly: true },
    { name: 'token_url', value: (one) => one.token_url, pipeOnly: true },
    { name: 'revoke_url', value: (one) => one.revoke_url, pipeOnly: true },
    { name: 'sandbox', value: ({ sandbox }) => sandbox, pipeOnly: true }
  ],
  json: (one) => one
}

function stateText({ enabled, sandbox }: ServerProvider): string {
  if (!enabled) return ''
  return sandbox ? 'sandbox' : 'enabled'
}
