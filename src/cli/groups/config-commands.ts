import type { Entry } from '../command.ts'
import { getSetting } from '../commands/config/get-setting.ts'
import { listSettings } from '../commands/config/list-settings.ts'
import { setSetting } from '../commands/config/set-setting.ts'
import { settingsPath } from '../commands/config/settings-path.ts'
import { unsetSetting } from '../commands/config/unset-setting.ts'

/** What stands below `memctl config`. */
export const CONFIG_COMMANDS: readonly Entry[] = [listSettings, getSetting, setSetting, unsetSetting, settingsPath]
