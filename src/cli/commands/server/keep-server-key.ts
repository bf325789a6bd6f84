import { Fault } from '../../../contract/faults.ts'
import type { RunningServer } from '../../../contract/running-server.ts'
import type { Context } from '../../context.ts'
import { credentialsPath, readCredentials } from '../../credentials/credentials-file.ts'
import { folderName, isFolderName } from '../../credentials/folder-credential.ts'
import { saveCredential } from '../../credentials/save-credential.ts'

/**
 * Sees to it that the next command has the key of a server that has just started: an admin key that its start made is kept for its
 * origin, and for its data folder as well, since the same server may come back at another address, and another one at this address.
 * What the person put there by `auth login` stays. The key is shown nowhere.
 */
export async function keepServerKey(
  context: Context,
  { origin, data_dir }: RunningServer,
  madeKey: string | undefined
): Promise<void> {
  const { world } = context
  const folder = folderName(data_dir)
  if (madeKey !== undefined) {
    await save(context, [folder, origin], madeKey)
    return await context.talk.note(`made an admin key for ${origin} and kept it in ${credentialsPath(world)}`)
  }
  const { byOrigin } = readCredentials(world)
  const kept = byOrigin.get(folder)?.key
  const there = byOrigin.get(origin)?.key
  const ofServers = [...byOrigin].filter(([name]) => isFolderName(name)).map(([, { key }]) => key)
  const mayChange = there === undefined || ofServers.includes(there)
  if (kept === undefined || kept === there || !mayChange) return
  await save(context, [origin], kept)
  await context.talk.note(`the admin key of this server is now the one that is used for ${origin}`)
}

async function save({ world, rooms }: Context, names: readonly string[], key: string): Promise<void> {
  const withLock = await rooms.lock()
  try {
    for (const name of names) await saveCredential({ world, withLock }, name, { key, name: 'admin' })
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    throw new Fault(error.code, `the admin key could not be kept: ${error.message}`, {
      hint: `mend ${credentialsPath(world)}, then start the server once more with --new-admin-key`,
      cause: error
    })
  }
}
