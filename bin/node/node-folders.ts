import { homedir, tmpdir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { Fault } from '../../src/contract/faults.ts'
import type { Environment, Folders, SystemError } from '../../src/ports.ts'

/** The inputs that determine the folders. The three functions are called only if necessary. */
export type Surroundings = {
  platform: string
  environment: Environment
  current(): string
  home(): string
  temporary(): string
}

/**
 * Returns the folders: XDG Base Directory on Unix, Application Support and Caches on macOS, AppData on Windows.
 * `MEMCTL_CONFIG_DIR`, `MEMCTL_DATA_DIR` and `MEMCTL_CACHE_DIR` take precedence. The system is queried on first use.
 */
export function foldersFor(surroundings: Surroundings): Folders {
  const own = (name: string, otherwise: () => string): string => {
    const said = surroundings.environment[name]
    return said === undefined || said === '' ? otherwise() : resolve(surroundings.current(), said)
  }
  return {
    get current() {
      return surroundings.current()
    },
    get home() {
      return surroundings.home()
    },
    get temporary() {
      return surroundings.temporary()
    },
    get config() {
      return own('MEMCTL_CONFIG_DIR', () => standardFolder(surroundings, 'config'))
    },
    get data() {
      return own('MEMCTL_DATA_DIR', () => standardFolder(surroundings, 'data'))
    },
    get cache() {
      return own('MEMCTL_CACHE_DIR', () => standardFolder(surroundings, 'cache'))
    }
  }
}

/** Returns the folders of this process. */
export function nodeFolders(): Folders {
  return foldersFor({
    platform: process.platform,
    environment: process.env,
    current: () => askSystem('the current folder', 'change to a folder that exists', process.cwd),
    home: () =>
      askSystem('the home folder', 'set HOME, or MEMCTL_DATA_DIR, MEMCTL_CACHE_DIR and MEMCTL_CONFIG_DIR', homedir),
    temporary: tmpdir
  })
}

type Kind = 'config' | 'data' | 'cache'

const XDG: Readonly<Record<Kind, readonly [variable: string, underHome: string]>> = {
  config: ['XDG_CONFIG_HOME', '.config'],
  data: ['XDG_DATA_HOME', '.local/share'],
  cache: ['XDG_CACHE_HOME', '.cache']
}

function standardFolder({ platform, environment, home }: Surroundings, kind: Kind): string {
  if (platform === 'darwin')
    return join(home(), 'Library', kind === 'cache' ? 'Caches' : 'Application Support', 'memctl')
  if (platform === 'win32') {
    const local = environment.LOCALAPPDATA ?? join(home(), 'AppData', 'Local')
    const roaming = environment.APPDATA ?? join(home(), 'AppData', 'Roaming')
    return kind === 'config' ? join(roaming, 'memctl') : join(local, 'memctl', kind)
  }
  const [variable, underHome] = XDG[kind]
  const base = environment[variable]
  return join(base !== undefined && isAbsolute(base) ? base : join(home(), underHome), 'memctl')
}

function askSystem(what: string, hint: string, ask: () => string): string {
  try {
    return ask()
  } catch (error) {
    throw new Fault('system_refused', `${what} is unknown (${(error as SystemError).code})`, { hint, cause: error })
  }
}
