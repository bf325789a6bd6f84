import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { folderKey } from '../../credentials/folder-credential.ts'
import { removeCredential } from '../../credentials/save-credential.ts'
import { type ChosenServer, chooseServer } from '../../service/choose-server.ts'
import { keyVariable } from '../../service/find-key.ts'
import { runningOwnServer } from '../../service/own-server.ts'

export const logout = defineCommand<Record<string, never>>({
  name: 'logout',
  summary: 'forget the key that is kept for the server',
  options: [],
  about: 'The key stays valid: memctl keys revoke ends it for everybody.',
  examples: ['memctl auth logout --server https://memory.example.org'],
  leaves: 'The key was forgotten or it was not',
  parse: () => ({}),
  run: async (context) => {
    const { world, rooms, answer, talk } = context
    const server = chooseServer(context.settings)
    const removed = await removeCredential({ world, withLock: await rooms.lock() }, server.origin)
    const variable = keyVariable(world, server)
    if (variable !== undefined) await talk.warn(`${variable} still gives a key for ${server.origin}`)
    if (removed) await tellKept(context, server)
    const said = removed ? `the key for ${server.origin} is forgotten here` : `no key was kept for ${server.origin}`
    await answer.object(
      { server: server.address, removed },
      { lines: () => [[said]], rows: () => [[server.origin, removed]] }
    )
  }
})

/** The admin key of a server of this machine stays with its data folder: there may be no other. */
async function tellKept({ world, rooms, talk }: Context, { origin }: ChosenServer): Promise<void> {
  const own = await runningOwnServer({ world, rooms })
  if (own?.origin !== origin || folderKey(world, own.data_dir) === undefined) return
  await talk.note(`its admin key stays kept for ${own.data_dir}: memctl auth login takes it again`)
}
