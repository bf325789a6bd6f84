import { Fault } from '../../../contract/faults.ts'
import type { RunningServer } from '../../../contract/running-server.ts'
import type { Context } from '../../context.ts'
import { credentialsPath, readCredentials } from '../../credentials/credentials-file.ts'
import { folderName, isFolderName } from '../../credentials/folder-credential.ts'
import { saveCredential } from '../../credentials/save-credential.ts'

/**
 * Sees to it that the next command has the key of a server that has just started: an admin key that its start made is kept for its
 * origin, and for its data folder as well, since the same server may come back at another address, and another one at this address.
 * What the person put there by `auth login` stays. The key is shown nowhere. A key that is known elsewhere, because the settings
 * give it or it is kept for the folder, need not be kept: where the disk refuses, the server runs on.
 */
export async function keepServerKey(
  context: Context,
  { origin, data_dir }: RunningServer,
  { madeKey, isGiven }: FirstKey
): Promise<void> {
  const { world } = context
  const folder = folderName(data_dir)
  if (madeKey !== undefined) {
    const isKept = await save(context, { names: [folder, origin], key: madeKey, isKnown: isGiven })
    if (isKept) await context.talk.note(`made an admin key for ${origin} and kept it in ${credentialsPath(world)}`)
    return
  }
  const { byOrigin } = readCredentials(world)
  const kept = byOrigin.get(folder)?.key
  const there = byOrigin.get(origin)?.key
  const ofServers = [...byOrigin].filter(([name]) => isFolderName(name)).map(([, { key }]) => key)
  const mayChange = there === undefined || ofServers.includes(there)
  if (kept === undefined || kept === there || !mayChange) return
  if (await save(context, { names: [origin], key: kept, isKnown: true }))
    await context.talk.note(`the admin key of this server is now the one that is used for ${origin}`)
}

/** The key that a start made, if any, and whether the settings gave it. */
export type FirstKey = { madeKey: string | undefined; isGiven: boolean }

type Kept = { names: readonly string[]; key: string; isKnown: boolean }

/** Says whether the key is kept. */
async function save({ world, rooms, talk }: Context, { names, key, isKnown }: Kept): Promise<boolean> {
  const withLock = await rooms.lock()
  try {
    for (const name of names) await saveCredential({ world, withLock }, name, { key, name: 'admin' })
    return true
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    if (isKnown && error.code === 'system_refused') {
      await talk.note(`the admin key is not kept for ${names.at(-1)}: ${error.message}`)
      return false
    }
    throw new Fault(error.code, `the admin key could not be kept: ${error.message}`, {
      hint: `mend ${credentialsPath(world)}, then start the server once more with --new-admin-key`,
      cause: error
    })
  }
}
