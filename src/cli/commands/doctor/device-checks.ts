import type { Context } from '../../command/context.ts'
import { credentialsPath, readCredentials } from '../../credentials/credentials-file.ts'
import { formatCount, shellWord } from '../../output/short-forms.ts'
import { SETTINGS } from '../../settings/settings-table.ts'
import { type ChosenSnapshot, chooseSnapshot } from '../../snapshots/choose-snapshot.ts'
import { hintToMake, lockOptions } from '../../snapshots/open-snapshot.ts'

import { type Check, ok, problem, type Seen, toSeen, warning } from './check.ts'
import { lookAtEnvironment } from './environment-check.ts'
import { lookAtFolder, lookAtSpace } from './folder-check.ts'
import { lookAtSnapshotLock } from './lock-check.ts'

/** What all commands need of this machine, and what the snapshot is like. */
export const DEVICE_CHECKS: readonly Check[] = [
  { about: 'device', check: 'node', look: lookAtNode },
  { about: 'device', check: 'settings', look: lookAtSettings },
  { about: 'device', check: 'environment', look: lookAtEnvironment },
  { about: 'device', check: 'credentials', look: lookAtCredentials },
  { about: 'device', check: 'snapshot', needs: 'settings', look: lookAtSnapshot },
  { about: 'device', check: 'lock', needs: 'settings', look: lookAtSnapshotLock },
  { about: 'device', check: 'config folder', look: lookAtConfigFolder },
  { about: 'device', check: 'cache', look: (context) => lookAtOwnFolder(context, 'cache') },
  { about: 'device', check: 'data folder', look: (context) => lookAtOwnFolder(context, 'data') },
  { about: 'device', check: 'disk', look: lookAtDisk }
]

/** As `engines` in package.json has it. */
const NODE_LEAST = [20, 19] as const

async function lookAtNode({ modules }: Context): Promise<Seen> {
  const { nodeVersion } = await modules.machine()
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number)
  const isOld = major < NODE_LEAST[0] || (major === NODE_LEAST[0] && minor < NODE_LEAST[1])
  if (!isOld) return ok(nodeVersion)
  return problem(`${nodeVersion} is older than ${NODE_LEAST.join('.')}`, 'install a newer Node.js')
}

/** Each thing that is wrong with them, once: who mends one wants to know of the others too. */
async function lookAtSettings({ settings }: Context): Promise<Seen | Seen[]> {
  const asked = [
    settings.project,
    settings.user,
    ...SETTINGS.map(
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

function catchFault(ask: () => unknown): Seen[] {
  try {
    ask()
    return []
  } catch (error) {
    return [toSeen(error)]
  }
}

/** Throws the fault of a file that others may read. */
async function lookAtCredentials({ world }: Context): Promise<Seen> {
  const { byOrigin } = readCredentials(world)
  return ok(
    byOrigin.size === 0 ? 'no keys are kept' : `${formatCount(byOrigin.size, 'key')} in ${credentialsPath(world)}`
  )
}

async function lookAtSnapshot(context: Context): Promise<Seen> {
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

function missing({ world }: Context, { path, why }: ChosenSnapshot): Seen {
  if (why === 'default') return ok('none yet: the first store makes one')
  return problem(`there is no snapshot ${path}`, hintToMake(world, path))
}

async function lookAtOwnFolder(context: Context, name: 'cache' | 'data'): Promise<Seen> {
  const hint = `choose another folder with MEMCTL_${name.toUpperCase()}_DIR, or get the right to write there`
  return await lookAtFolder(context, context.world.folders[name], hint)
}

/** Only keeping a key or a setting writes there. */
async function lookAtConfigFolder(context: Context): Promise<Seen> {
  const hint = 'to keep a key or a setting, choose another folder with MEMCTL_CONFIG_DIR'
  const seen = await lookAtFolder(context, context.world.folders.config, hint)
  return seen.state === 'problem' ? { ...seen, state: 'warning' } : seen
}

async function lookAtDisk(context: Context): Promise<Seen> {
  const { data, cache } = context.world.folders
  return await lookAtSpace(context, [data, cache], `free some space; ${shellWord(cache)} can be deleted at any time`)
}
