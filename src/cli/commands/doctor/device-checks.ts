import { dirname } from 'node:path'
import type { Context } from '../../command/context.ts'
import { credentialsPath, readCredentials } from '../../credentials/read-credentials.ts'
import { isNear } from '../../input/is-near.ts'
import { formatCount, shellWord } from '../../output/short-forms.ts'
import { SETTINGS_TABLE } from '../../settings/settings-table.ts'
import { type ChosenSnapshot, chooseSnapshot } from '../../snapshots/choose-snapshot.ts'
import { hintToMake, lockOptions } from '../../snapshots/open-snapshot.ts'
import { environmentRows } from '../help/answer-environment.ts'
import { type Check, type CheckResult, ok, problem, toCheckResult, warning } from './check.ts'
import { checkFolder, checkFreeSpace } from './check-folder.ts'
import { checkSnapshotLock } from './check-locks.ts'

/** Checks of this machine and of the snapshot, which every command needs. */
export const DEVICE_CHECKS: readonly Check[] = [
  { about: 'device', check: 'node', run: checkNode },
  { about: 'device', check: 'settings', run: checkSettings },
  { about: 'device', check: 'environment', run: checkEnvironment },
  { about: 'device', check: 'credentials', run: checkCredentials },
  { about: 'device', check: 'snapshot', needs: 'settings', run: checkSnapshot },
  { about: 'device', check: 'lock', needs: 'settings', run: checkSnapshotLock },
  { about: 'device', check: 'config folder', run: checkConfigFolder },
  { about: 'device', check: 'cache', run: (context) => checkOwnFolder(context, 'cache') },
  { about: 'device', check: 'data folder', run: (context) => checkOwnFolder(context, 'data') },
  { about: 'device', check: 'disk', run: checkDisk }
]

/** Equals `engines` in package.json. */
const NODE_LEAST = [20, 19] as const

async function checkNode({ modules }: Context): Promise<CheckResult> {
  const { nodeVersion } = await modules.machine()
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number)
  const isOld = major < NODE_LEAST[0] || (major === NODE_LEAST[0] && minor < NODE_LEAST[1])
  if (!isOld) return ok(nodeVersion)
  return problem(`expected Node.js ${NODE_LEAST.join('.')} or newer, found ${nodeVersion}`, 'install a newer Node.js')
}

/** Reports every invalid setting, each once. */
async function checkSettings({ settings }: Context): Promise<CheckResult | CheckResult[]> {
  const asked = [
    settings.project,
    settings.user,
    ...SETTINGS_TABLE.map(
      ({ key }) =>
        () =>
          settings.get(key)
    )
  ]
  const wrong = new Map(asked.flatMap((ask) => catchFault(ask)).map((seen) => [seen.message, seen]))
  if (wrong.size > 0) return [...wrong.values()]
  const files = [settings.project(), settings.user()].flatMap((file) =>
    file !== undefined && Object.keys(file.values).length > 0 ? [file.path] : []
  )
  return ok(files.length === 0 ? 'no settings files' : files.join(', '))
}

function catchFault(ask: () => unknown): CheckResult[] {
  try {
    ask()
    return []
  } catch (error) {
    return [toCheckResult(error)]
  }
}

/** Counts the saved keys. Throws a `Fault` if other users can read the file. */
async function checkCredentials({ world }: Context): Promise<CheckResult> {
  const { byOrigin } = readCredentials(world)
  return ok(byOrigin.size === 0 ? 'no saved keys' : `${formatCount(byOrigin.size, 'key')} in ${credentialsPath(world)}`)
}

async function checkSnapshot(context: Context): Promise<CheckResult> {
  const chosen = chooseSnapshot(context.world, context.settings)
  if (chosen.path === '-') return ok('stdin')
  if (context.world.files.findEntry(chosen.path) === undefined) return missing(context, chosen)
  const deviceModule = await context.device()
  const device = deviceModule.open(context.world, chosen.path, lockOptions(context))
  const report = await device.verify({ signal: context.world.terminal.interrupted })
  const verify = `memctl device verify --snapshot ${shellWord(chosen.path)}`
  if (!report.sound) {
    const compact = `memctl device compact --skip-damaged --snapshot ${shellWord(chosen.path)}`
    const hint = `${verify} lists the lines; merge a copy that has them, or drop them: ${compact}`
    return problem(`${chosen.path} is damaged or has lost lines`, hint)
  }
  const text = `${chosen.path}: ${formatCount(report.memories, 'memory', 'memories')}, sound`
  if (report.tail !== null && !report.tail.sound)
    return warning(`${text}, with an unfinished last line`, `the next store sets it aside; for details: ${verify}`)
  return ok(text)
}

function missing({ world }: Context, { path, why }: ChosenSnapshot): CheckResult {
  if (why === 'default') return ok('none yet; the first store creates one')
  return problem(`snapshot ${path} does not exist`, hintToMake(world, path))
}

async function checkOwnFolder(context: Context, name: 'cache' | 'data'): Promise<CheckResult> {
  const hint = `choose another folder with MEMCTL_${name.toUpperCase()}_DIR, or make this one writable`
  return await checkFolder(context, context.world.folders[name], hint)
}

/** Checks the configuration folder. Only commands that save a key or a setting write to it, so a problem is a warning. */
async function checkConfigFolder(context: Context): Promise<CheckResult> {
  const hint = 'to save keys and settings, choose another folder with MEMCTL_CONFIG_DIR'
  const seen = await checkFolder(context, context.world.folders.config, hint)
  return seen.state === 'problem' ? { ...seen, state: 'warning' } : seen
}

async function checkDisk(context: Context): Promise<CheckResult> {
  const { data, cache } = context.world.folders
  return await checkFreeSpace(context, [data, cache], `free some space; you can delete ${shellWord(cache)} at any time`)
}

/** Prefix of the variables of memctl. */
const OURS = 'MEMCTL_'

/** Variables that the program itself sets for a server in the background. */
const INTERNAL: ReadonlySet<string> = new Set(['MEMCTL_SERVER_LOG_FILE'])

/** Reports variables that have no effect, such as misspelled ones. Never shows values. */
async function checkEnvironment(context: Context): Promise<CheckResult | CheckResult[]> {
  const { settings } = context.world
  const rows = await environmentRows(context)
  const known = rows.map(({ variable }) => variable)
  const set = Object.keys(settings).filter((name) => (settings[name] ?? '') !== '')
  const wrong = [
    ...set
      .filter((name) => !known.includes(name) && !INTERNAL.has(name))
      .flatMap((name) => findMisspelled(name, known)),
    ...severalKeys(set),
    ...openKeyFile(context)
  ]
  if (wrong.length > 0) return wrong
  const ours = set.filter((name) => name.startsWith(OURS))
  return ok(ours.length === 0 ? `no ${OURS} variables are set` : `${formatCount(ours.length, `${OURS} variable`)} set`)
}

function findMisspelled(name: string, known: readonly string[]): CheckResult[] {
  const upper = name.toUpperCase()
  const meant = known.find((one) => one.startsWith(OURS) && isNear(upper, one))
  const isOurs = upper.startsWith(OURS)
  if (!isOurs && (meant === undefined || name.length < NAME_LEAST)) return []
  const hint = meant === undefined ? `unset ${name}; to list the known variables: memctl help environment` : undefined
  return [warning(`unknown variable ${name}`, hint ?? `did you mean ${meant}? If not: unset ${name}`)]
}

/** A shorter name probably belongs to another program. In characters. */
const NAME_LEAST = 10

/** In order of precedence. */
const KEY_SOURCES = ['MEMCTL_API_KEY', 'MEMCTL_API_KEY_FILE', 'MEMCTL_API_KEY_COMMAND']

function severalKeys(set: readonly string[]): CheckResult[] {
  const [used, ...others] = KEY_SOURCES.filter((name) => set.includes(name))
  if (used === undefined || others.length === 0) return []
  return [
    warning(
      `${used} provides the key; ${others.join(' and ')} ${others.length === 1 ? 'is' : 'are'} ignored`,
      `unset ${others.join(' ')}`
    )
  ]
}

/** Permissions of the group and of others: to read or write a file, and to enter a folder. */
const OF_OTHERS = 0o066
const THROUGH = 0o011

/** Where a container or CI runner mounts secrets that only its own processes can read. */
const MOUNTED = /^(\/var)?\/run\/secrets\//

function openKeyFile({ world: { files, settings } }: Context): CheckResult[] {
  const path = settings.MEMCTL_API_KEY_FILE ?? ''
  if (path === '' || path === '-' || MOUNTED.test(path)) return []
  const found = files.find(path)
  const mode = found?.mode ?? 0
  const folder = files.find(dirname(path))?.mode ?? 0
  if (found?.kind !== 'file' || (mode & OF_OTHERS) === 0 || (folder & THROUGH) === 0) return []
  return [warning(`other users can read ${path}, the file in MEMCTL_API_KEY_FILE`, `chmod 600 ${shellWord(path)}`)]
}
