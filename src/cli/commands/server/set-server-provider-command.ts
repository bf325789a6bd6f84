import { Fault } from '../../../contract/faults.ts'
import type { ServerProvider } from '../../../contract/running-server.ts'
import { defineCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { type CommandLine, textOption } from '../../input/command-line.ts'
import { readInputText } from '../../input/read-input-text.ts'
import type { ServerHost } from '../../ports/server-host.ts'
import { findDataFolder } from '../../service/find-own-server.ts'

type Options = {
  provider: string
  /** Values by the last part of the setting's key. */
  values: Readonly<Record<string, string>>
  secretFile: string | undefined
  clear: boolean
}

/** The last part of the setting's key, by the name of the option. */
const PARTS: Readonly<Record<string, string>> = {
  clientId: 'client_id',
  authorizeUrl: 'authorize_url',
  tokenUrl: 'token_url',
  revokeUrl: 'revoke_url',
  apiUrl: 'api_url'
}

/** Maximum size of a file with a secret in bytes, a whole number of MiB. */
const SECRET_BYTES_MAX = 1 << 20

export const setServerProviderCommand = defineCommand<Options>({
  name: 'set',
  summary: 'Configure the OAuth client of a provider to use the real service',
  words: [{ name: '<provider>', about: 'cloud_drive, team_chat, mailbox or notes' }],
  options: [
    { flags: '--client-id <id>', about: 'id of the OAuth client that you registered with the provider' },
    {
      flags: '--client-secret-file <file>',
      about: 'file that contains the client secret; - is stdin (default: prompt)'
    },
    { flags: '--authorize-url <url>', about: 'address of the consent page (default: the real service)' },
    { flags: '--token-url <url>', about: 'address for exchanging codes (default: the real service)' },
    { flags: '--revoke-url <url>', about: 'address for revoking grants (default: the real service)' },
    { flags: '--api-url <url>', about: 'address of the content API (default: the real service)' },
    { flags: '--clear', about: 'remove all settings of this provider' }
  ],
  about:
    'Saves the settings in server.json in the config folder, which only you can read. A secret is never an argument, because other ' +
    'users could see it there. A running server uses the settings after a restart.',
  examples: [
    'memctl server providers set cloud_drive --client-id ID --client-secret-file secret.txt',
    'memctl server providers set cloud_drive --clear'
  ],
  leaves: 'The settings are either unchanged or completely updated: memctl server providers list shows them',
  parse: parseSet,
  run
})

function parseSet({ words, options }: CommandLine): Options {
  const given = Object.entries(PARTS).flatMap(([name, part]) => {
    const value = textOption(options, name)
    return value === undefined ? [] : [[part, value] as const]
  })
  const values = Object.fromEntries(given)
  const secretFile = textOption(options, 'clientSecretFile')
  const clear = options.clear === true
  const isEmpty = given.length === 0 && secretFile === undefined
  if (clear !== isEmpty)
    throw new Fault(
      'usage',
      clear
        ? '--clear and other settings cannot be used together'
        : 'missing settings: expected --client-id or another setting',
      {
        hint: 'for example --client-id ID --client-secret-file FILE'
      }
    )
  return { provider: words[0] ?? '', values, secretFile, clear }
}

async function run(context: Context, options: Options): Promise<void> {
  const host = await context.modules.server()
  const before = await findProvider(host, options.provider)
  const values = options.clear ? clearParts() : { ...options.values, ...(await chooseSecret(context, options, before)) }
  const kept = Object.fromEntries(Object.entries(values).map(([part, value]) => [`${before.provider}.${part}`, value]))
  const { path } = await host.keepSettings(kept)
  const after = await findProvider(host, options.provider)
  await context.answer.object(after, { lines: () => [[`saved in ${path}`]], rows: () => [[after.provider, path]] })
  await noteEnabled(context, host, { before, after })
  await hintRestart(context, host)
}

/** Notes that configuring one real provider disables the sandbox. */
async function noteEnabled(
  { diagnostics }: Context,
  host: ServerHost,
  { before, after }: { before: ServerProvider; after: ServerProvider }
): Promise<void> {
  if (before.sandbox === after.sandbox) return
  const enabled = (await host.providers({})).filter((one) => one.enabled).map(({ provider }) => provider)
  await diagnostics.note(
    after.sandbox
      ? 'the sandbox is enabled again'
      : `the sandbox is now disabled; enabled providers: ${enabled.join(', ')}`
  )
}

async function findProvider(host: ServerHost, name: string): Promise<ServerProvider> {
  const providers = await host.providers({})
  const found = providers.find(({ provider }) => provider === name)
  if (found !== undefined) return found
  throw new Fault('not_found', `unknown provider '${name}'`, {
    hint: `one of ${providers.map(({ provider }) => provider).join(', ')}`
  })
}

function clearParts(): Record<string, undefined> {
  return Object.fromEntries([...Object.values(PARTS), 'client_secret'].map((part) => [part, undefined]))
}

/**
 * Returns the secret to save, from the file or a prompt. Returns nothing if the client id is unchanged and no file is
 * given: the saved secret stays.
 */
async function chooseSecret(
  { world, person }: Context,
  { values, secretFile }: Options,
  before: ServerProvider
): Promise<{ client_secret?: string }> {
  if (secretFile !== undefined)
    return { client_secret: sound(await readInputText(world, secretFile, SECRET_BYTES_MAX)) }
  const isNew = values.client_id !== undefined && values.client_id !== before.client_id
  if (!isNew) return {}
  if (person) return { client_secret: sound(await world.terminal.askSecret(`Client secret for ${before.provider}:`)) }
  throw new Fault('input_needed', 'the client secret is required, but the session is not interactive', {
    hint: 'give --client-secret-file FILE, or - for stdin'
  })
}

function sound(text: string): string {
  const secret = text.trim()
  const hint = 'give --client-secret-file FILE, or - for stdin: one line with the secret and nothing else'
  if (secret === '') throw new Fault('usage', 'the client secret is empty', { hint })
  if (/\s/.test(secret)) throw new Fault('invalid_input', 'the client secret contains white space', { hint })
  return secret
}

async function hintRestart(context: Context, host: ServerHost): Promise<void> {
  const facts = host.facts(await findDataFolder(context, host, {}))
  if (facts !== undefined && host.isRunning(facts))
    await context.diagnostics.hint(
      'restart the server to apply the change: memctl server stop, then memctl server start'
    )
}
