import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Fault } from '../../src/contract/faults.ts'
import type { Folders, Preferences, SystemError } from '../../src/ports.ts'

/**
 * Opens the user's settings: `config.json` in the config folder. `conf` writes them and replaces the file atomically.
 * Reading does not use it, because loading `conf` takes 35 ms of processor time, more than half of a bare start of
 * Node, and nearly every command reads a setting. (`connections list` would take 2.3x of bare Node instead of 1.75x,
 * where the limit is 2x.) A file that is not a JSON object causes an error that names it, and is never emptied.
 */
export function nodePreferences(folders: Folders): Preferences {
  return {
    get path() {
      return join(folders.config, 'config.json')
    },
    read() {
      return readSettings(this.path)
    },
    async write(key, value) {
      const file = await openForWriting(folders, this.path)
      refusable(this.path, () => file.set(key, value))
    },
    async remove(key) {
      const file = await openForWriting(folders, this.path)
      refusable(this.path, () => file.delete(key))
    }
  }
}

async function openForWriting(folders: Folders, path: string) {
  readSettings(path)
  const { default: Conf } = await import('conf')
  return refusable(
    path,
    () =>
      new Conf<Record<string, string>>({
        cwd: folders.config,
        configName: 'config',
        configFileMode: 0o600,
        accessPropertiesByDotNotation: false
      })
  )
}

function readSettings(path: string): Record<string, unknown> {
  const text = readText(path)
  if (text === undefined) return {}
  try {
    const settings: unknown = JSON.parse(text)
    if (typeof settings === 'object' && settings !== null && !Array.isArray(settings)) return { ...settings }
  } catch (cause) {
    throw makeDamageFault(path, cause)
  }
  throw makeDamageFault(path, undefined)
}

function readText(path: string): string | undefined {
  return refusable(path, () => {
    try {
      return readFileSync(path, 'utf8')
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes((error as SystemError).code)) return undefined
      throw error
    }
  })
}

function refusable<Value>(path: string, work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    const { code } = error as SystemError
    if (code === undefined) throw error
    const hint = FORBIDDEN.includes(code) ? hintOfForbidden(dirname(path)) : undefined
    throw new Fault('system_refused', `settings file ${path}: system error ${code}`, { hint, cause: error })
  }
}

const FORBIDDEN: readonly string[] = ['EACCES', 'EPERM', 'EROFS']

function hintOfForbidden(folder: string): string {
  return `check the permissions and the content of ${folder}, or choose another folder with MEMCTL_CONFIG_DIR`
}

function makeDamageFault(path: string, cause: unknown): Fault {
  return new Fault('invalid_input', `settings file ${path}: expected a JSON object`, {
    hint: `fix or remove ${path}`,
    cause
  })
}
