import { dirname } from 'node:path'
import { Fault } from '../../src/contract/faults.ts'
import type { Folders } from '../../src/ports.ts'
import { replaceFile } from '../../src/snapshot/file/replace-file.ts'
import { toSystemFault } from '../../src/snapshot/file/to-system-fault.ts'
import { type LockWorld, withLock } from '../../src/snapshot/file/with-lock.ts'
import { readServerFile, serverFilePath } from './read-server-settings.ts'
import { SERVER_SETTINGS } from './server-settings.ts'
import type { SettingDefinition } from './setting-definition.ts'

export type SaveWorld = LockWorld & { folders: Pick<Folders, 'config'> }

/**
 * Saves settings in the config file of the server and keeps the others; `undefined` removes one. The file is replaced
 * atomically, and only its owner can read it. Returns its path. Throws a `Fault` `usage` for an invalid value or key,
 * `invalid_input` if the file is damaged, and `system_refused`.
 */
export async function saveServerSettings(
  world: SaveWorld,
  values: Readonly<Record<string, string | undefined>>
): Promise<{ path: string }> {
  const { files, folders } = world
  for (const [key, value] of Object.entries(values)) assertValidSetting(key, value, folders.config)
  const path = serverFilePath(folders)
  try {
    files.makeFolders(dirname(path))
    const real = files.find(path) === undefined ? path : files.realPath(path)
    await withLock(world, { path: real }, () => {
      const saved = { ...readServerFile(world).values, ...values }
      // JSON leaves out undefined values.
      const text = `${JSON.stringify(saved, undefined, 2)}\n`
      replaceFile(files, { path: real, mode: 0o600 }, (sink) => sink.write(text))
    })
  } catch (error) {
    throw toSystemFault(error, `write ${path}`)
  }
  return { path }
}

const ROWS: readonly SettingDefinition<unknown>[] = Object.values(SERVER_SETTINGS)

function assertValidSetting(key: string, value: string | undefined, folder: string): void {
  const row = ROWS.find((one) => one.key === key)
  if (row === undefined)
    throw new Fault('usage', `unknown server setting '${key}'`, { hint: 'memctl help environment' })
  if (value === undefined) return
  try {
    row.parse(value, { folder })
  } catch (error) {
    if (!(error instanceof Error) || error instanceof Fault) throw error
    const shown = row.mask === undefined ? ` '${value}'` : ''
    throw new Fault('usage', `invalid ${key}${shown}: ${error.message}`, { hint: 'memctl help environment' })
  }
}
