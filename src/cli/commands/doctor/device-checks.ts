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

/** What all commands need of this machine, and what the snapshot is like. */
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

/** As `engines` in package.json has it. */
const NODE_LEAST = [20, 19] as const

async function checkNode({ modules }: Context): Promise<CheckResult> {
  const { nodeVersion } = await modules.machine()
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number)
  const isOld = major < NODE_LEAST[0] || (major === NODE_LEAST[0] && minor < NODE_LEAST[1])
  if (!isOld) return ok(nodeVersion)
  return problem(`${nodeVersion} is older than ${NODE_LEAST.join('.')}`, 'install a newer Node.js')
}

/** Each thing that is wrong with them, once: who mends one wants to know of the others too. */
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

/** Throws the fault of a file that others may read. */
async function checkCredentials({ world }: Context): Promise<CheckResult> {
  const { byOrigin } = readCredentials(world)
  return ok(
    byOrigin.size === 0 ? 'no keys are kept' : `${formatCount(byOrigin.size, 'key')} in ${credentialsPath(world)}`
  )
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
    const hint = `${verify} names the lines; merge a copy that has them, or go on without: ${compact}`
    return problem(`${chosen.path} is damaged or has lost lines`, hint)
  }
  const text = `${chosen.path}: ${formatCount(report.memories, 'memory', 'memories')}, sound`
  if (report.tail !== null && !report.tail.sound)
    return warning(`${text}, with an unfinished last line`, `the next store puts it aside; ${verify} tells more`)
  return ok(text)
}

function missing({ world }: Context, { path, why }: ChosenSnapshot): CheckResult {
  if (why === 'default') return ok('none yet: the first store makes one')
  return problem(`there is no snapshot ${path}`, hintToMake(world, path))
}

async function checkOwnFolder(context: Context, name: 'cache' | 'data'): Promise<CheckResult> {
  const hint = `choose another folder with MEMCTL_${name.toUpperCase()}_DIR, or get the right to write there`
  return await checkFolder(context, context.world.folders[name], hint)
}

/** Only keeping a key or a setting writes there. */
async function checkConfigFolder(context: Context): Promise<CheckResult> {
  const hint = 'to keep a key or a setting, choose another folder with MEMCTL_CONFIG_DIR'
  const seen = await checkFolder(context, context.world.folders.config, hint)
  return seen.state === 'problem' ? { ...seen, state: 'warning' } : seen
}

async function checkDisk(context: Context): Promise<CheckResult> {
  const { data, cache } = context.world.folders
  return await checkFreeSpace(context, [data, cache], `free some space; ${shellWord(cache)} can be deleted at any time`)
}

/** What all our variables begin with. */
const OURS = 'MEMCTL_'

/** Given to a server in the background by the program itself. */
const INTERNAL: ReadonlySet<string> = new Set(['MEMCTL_SERVER_LOG_FILE'])

/** A variable that nobody reads is the quietest of all mistakes. Values are never shown. */
async function checkEnvironment(context: Context): Promise<CheckResult | CheckResult[]> {
  const { settings } = context.world
  const rows = await environmentRows(context)
  const known = rows.map(({ variable }) => variable)
  const set = Object.keys(settings).filter((name) => (settings[name] ?? '') !== '')
  const wrong = [
    ...set.filter((name) => !known.includes(name) && !INTERNAL.has(name)).flatMap((name) => misspelt(name, known)),
    ...severalKeys(set),
    ...openKeyFile(context)
  ]
  if (wrong.length > 0) return wrong
  const ours = set.filter((name) => name.startsWith(OURS))
  return ok(ours.length === 0 ? `no ${OURS} variables` : `${formatCount(ours.length, 'variable')} of memctl`)
}

function misspelt(name: string, known: readonly string[]): CheckResult[] {
  const upper = name.toUpperCase()
  const meant = known.find((one) => one.startsWith(OURS) && isNear(upper, one))
  const isOurs = upper.startsWith(OURS)
  if (!isOurs && (meant === undefined || name.length < NAME_LEAST)) return []
  const hint = meant === undefined ? `unset ${name}; memctl help environment lists those that are read` : undefined
  return [warning(`nothing reads the variable ${name}`, hint ?? `did you mean ${meant}? Else: unset ${name}`)]
}

/** A shorter name is likely somebody else's. In letters. */
const NAME_LEAST = 10

/** In the order in which they win. */
const KEY_SOURCES = ['MEMCTL_API_KEY', 'MEMCTL_API_KEY_FILE', 'MEMCTL_API_KEY_COMMAND']

function severalKeys(set: readonly string[]): CheckResult[] {
  const [used, ...others] = KEY_SOURCES.filter((name) => set.includes(name))
  if (used === undefined || others.length === 0) return []
  return [warning(`the key is taken from ${used}, and not from ${others.join(' or ')}`, `unset ${others.join(' ')}`)]
}

/** Permissions of group and others: to read or write a file, to pass through a folder. */
const OF_OTHERS = 0o066
const THROUGH = 0o011

/** Where a container or a runner puts secrets for its processes alone. */
const MOUNTED = /^(\/var)?\/run\/secrets\//

function openKeyFile({ world: { files, settings } }: Context): CheckResult[] {
  const path = settings.MEMCTL_API_KEY_FILE ?? ''
  if (path === '' || path === '-' || MOUNTED.test(path)) return []
  const found = files.find(path)
  const mode = found?.mode ?? 0
  const folder = files.find(dirname(path))?.mode ?? 0
  if (found?.kind !== 'file' || (mode & OF_OTHERS) === 0 || (folder & THROUGH) === 0) return []
  return [warning(`${path}, which MEMCTL_API_KEY_FILE names, may be read by others`, `chmod 600 ${shellWord(path)}`)]
}
