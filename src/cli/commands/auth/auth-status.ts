import { Fault } from '../../../contract/faults.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { type ChosenServer, chooseServer } from '../../service/choose-server.ts'
import { clientWith } from '../../service/connect.ts'
import { findKey, keyVariable } from '../../service/find-key.ts'
import { keyRemedy } from '../../service/key-remedy.ts'
import { accessOf, accessView } from './key-access.ts'

export const authStatus = defineCommand<Record<string, never>>({
  name: 'status',
  summary: 'which key is used for the server, and what it may do',
  options: [],
  about: 'Exit 4 where there is no key, or the server refuses it.',
  examples: ['memctl auth status', 'memctl auth status --server https://memory.example.org --json'],
  leaves: 'Nothing was changed',
  parse: () => ({}),
  run: async (context) => {
    const server = chooseServer(context.settings)
    const { key, from = '' } = await findKey(context.world, server)
    if (key === undefined) throw await noKey(context, server)
    const access = await accessOf(
      await clientWith(context, server, { key, variable: keyVariable(context.world, server) })
    ).catch((error) => {
      throw refused(error, from)
    })
    await context.answer.object(
      { server: server.address, key_from: from, ...access },
      accessView({ server: server.address, from, access })
    )
  }
})

async function noKey(context: Context, server: ChosenServer): Promise<Fault> {
  return new Fault('unauthenticated', `there is no key for ${server.origin}`, await keyRemedy(context, server))
}

/** The server's own words, and which key it was. */
function refused(error: unknown, from: string): unknown {
  if (!(error instanceof Fault) || error.code !== 'unauthenticated') return error
  const { hint, next } = error
  return new Fault(error.code, `the key from ${from} was refused: ${error.message}`, {
    hint,
    next: [...next],
    cause: error
  })
}
