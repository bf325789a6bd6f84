import type { Context } from '../../context.ts'
import { chooseSnapshot } from '../../settings/choose-snapshot.ts'
import type { Resolved } from '../../settings/settings.ts'
import type { SettingKey } from '../../settings/settings-table.ts'

/** A setting as it holds here. The default snapshot is the file that a command would use. */
export function settingValue({ world, settings }: Context, key: SettingKey): Resolved {
  const resolved = settings.get(key)
  if (key !== 'snapshot' || resolved.value !== undefined) return resolved
  return { ...resolved, value: chooseSnapshot(world, settings).path }
}
