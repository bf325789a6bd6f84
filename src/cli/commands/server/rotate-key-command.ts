import type { ServerFlags } from '../../../ports.ts'
import { defineCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { formatCount } from '../../output/short-forms.ts'
import { chooseServer } from '../../service/choose-server.ts'
import { findKey, keyVariable } from '../../service/find-key.ts'
import { findDataFolder } from '../../service/find-own-server.ts'
import { clientWith } from '../../service/open-client.ts'
import { DATA_DIR_OPTION, serverFlags } from './server-flags.ts'

export const rotateKeyCommand = defineCommand<{ flags: ServerFlags }>({
  name: 'rotate-key',
  summary: 'Encrypt all stored credentials with a new key (admin)',
  options: [DATA_DIR_OPTION],
  about:
    'Uses the server that --server names, else the server that runs on this machine. If none is running, encrypts the stored ' +
    'credentials directly. You can interrupt it at any time: everything stays readable, and the next run continues.',
  examples: ['memctl server rotate-key'],
  leaves: 'Everything stays readable; memctl server rotate-key continues where it stopped',
  parse: ({ options }) => ({ flags: serverFlags(options) }),
  run: async (context, { flags }) => {
    const rotated = await rotate(context, flags)
    const { key_id, resealed } = rotated
    const text = `${formatCount(resealed, 'secret')} encrypted with the new key ${key_id}`
    await context.answer.object(rotated, { lines: () => [[text]], rows: () => [[key_id, resealed]] })
  }
})

async function rotate(context: Context, flags: ServerFlags): Promise<{ key_id: string; resealed: number }> {
  if (context.settings.get('server').origin === 'flag') return await (await context.client()).rotateVaultKey()
  const host = await context.modules.server()
  const facts = host.facts(await findDataFolder(context, host, flags))
  if (facts === undefined || !host.isRunning(facts)) return await host.rotateKey(flags)
  const own = { address: facts.origin, origin: new URL(facts.origin).origin, named: true }
  const named = { ...chooseServer(context.settings), ...own }
  const { key } = await findKey(context.world, named)
  const client = await clientWith(context, named, { key, variable: keyVariable(context.world, named) })
  return await client.rotateVaultKey()
}
