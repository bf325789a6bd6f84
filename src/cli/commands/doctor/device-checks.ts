import { dirname } from 'node:path'
import type { Context } from '../../context.ts'
import { credentialsPath, readCredentials } from '../../credentials/credentials-file.ts'
import { counted, shellWord, shortBytes } from '../../output/short-forms.ts'
import { type ChosenSnapshot, chooseSnapshot } from '../../settings/choose-snapshot.ts'
import { SETTINGS } from '../../settings/settings-table.ts'
import { lockOptions } from '../device/open-snapshot.ts'
import { type Check, ok, problem, type Seen, warning } from './check.ts'

/** What all commands need of this machine, and what the snapshot is like. */
export const DEVICE_CHECKS: readonly Check[] = [
  { about: 'device', check: 'node', look: lookAtNode },
  { about: 'device', check: 'settings', look: lookAtSettings },
  { about: 'device', check: 'credentials', look: lookAtCredentials },
  { about: 'device', check: 'snapshot', look: lookAtSnapshot },
  { about: 'device', check: 'lock', look: lookAtLock },
  { about: 'device', check: 'cache', look: (context) => lookAtFolder(context, 'cache') },
  { about: 'device', check: 'data folder', look: (context) => lookAtFolder(context, 'data') },
  { about: 'device', check: 'disk', look: lookAtDisk }
]

/** As `engines` in package.json has it. */
const NODE_LEAST = [20, 19] as const

async function lookAtNode({ rooms }: Context): Promise<Seen> {
  const { nodeVersion } = await rooms.machine()
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number)
  const isOld = major < NODE_LEAST[0] || (major === NODE_LEAST[0] && minor < NODE_LEAST[1])
  if (!isOld) return ok(nodeVersion)
  return problem(`${nodeVersion} is older than ${NODE_LEAST.join('.')}`, 'install a newer Node.js')
}

async function lookAtSettings({ settings }: Context): Promise<Seen> {
  for (const { key } of SETTINGS) settings.get(key)
  const files = [settings.project(), settings.user()].flatMap((file) =>
    file !== undefined && Object.keys(file.values).length > 0 ? [file.path] : []
  )
  return ok(files.length === 0 ? 'no settings files' : files.join(', '))
}

/** Throws the fault of a file that others may read. */
async function lookAtCredentials({ world }: Context): Promise<Seen> {
  const { byOrigin } = readCredentials(world)
  return ok(byOrigin.size === 0 ? 'no keys are kept' : `${counted(byOrigin.size, 'key')} in ${credentialsPath(world)}`)
}

async function lookAtSnapshot(context: Context): Promise<Seen> {
  const chosen = chooseSnapshot(context.world, context.settings)
  if (chosen.path === '-') return ok('stdin')
  if (context.world.files.findEntry(chosen.path) === undefined) return missing(chosen)
  const room = await context.device()
  const device = room.open(context.world, chosen.path, lockOptions(context))
  const report = await device.verify({ signal: context.world.terminal.interrupted })
  const verify = `memctl device verify --snapshot ${shellWord(chosen.path)}`
  if (!report.sound) return problem(`${chosen.path} is damaged or has lost lines`, verify)
  const text = `${chosen.path}: ${counted(report.memories, 'memory', 'memories')}, sound`
  if (report.tail !== null && !report.tail.sound) return warning(`${text}, with an unfinished last line`, verify)
  return ok(text)
}

function missing({ path, why }: ChosenSnapshot): Seen {
  if (why === 'default') return ok('none yet: the first store makes one')
  return problem(`there is no snapshot ${path}`, `memctl device init ${shellWord(path)}`)
}

/** A lock is there for milliseconds. One that stays belongs to somebody who still runs, or to another machine. */
async function lookAtLock({ world, settings }: Context): Promise<Seen> {
  const { path } = chooseSnapshot(world, settings)
  const lock = `${path}.lock`
  const found = path === '-' ? undefined : world.files.findEntry(lock)
  if (found === undefined) return ok('free')
  const owner = found.kind === 'link' ? world.files.readLink(lock) : ''
  const [host = '?', , , pid = '?'] = owner.split(':')
  const here = host === world.self.host.replaceAll(':', '_')
  const runs = here && /^\d+$/.test(pid) && world.self.process(Number(pid))?.state === 'alive'
  if (runs) return warning(`process ${pid} writes to ${path} now, or holds its lock`, 'wait, or see what it does')
  if (here) return ok(`left by process ${pid}, which is gone: the next store takes it over`)
  return warning(`held by process ${pid} of ${host}`, `if that one is gone for certain: rm ${shellWord(lock)}`)
}

/** A folder that is not there is made where it is first needed. */
async function lookAtFolder({ world, rooms }: Context, name: 'cache' | 'data'): Promise<Seen> {
  const folder = world.folders[name]
  const machine = await rooms.machine()
  const variable = `MEMCTL_${name.toUpperCase()}_DIR`
  const there = nearest(world.files, folder)
  const hint = `choose another folder with ${variable}, or get the right to write there`
  if (world.files.find(there)?.kind !== 'folder') return problem(`${there} is no folder`, hint)
  if (!machine.mayWrite(there)) return problem(`${there} may not be written to`, hint)
  const mode = there === folder ? (world.files.find(folder)?.mode ?? 0) : 0
  if ((mode & OF_OTHERS) !== 0)
    return warning(`${folder} may be looked into by others`, `chmod 700 ${shellWord(folder)}`)
  return ok(folder)
}

/** Permissions of group and others to write or to read. */
const OF_OTHERS = 0o066

function nearest(files: Context['world']['files'], folder: string): string {
  for (let at = folder; ; at = dirname(at)) if (files.find(at) !== undefined || dirname(at) === at) return at
}

/** Below this an index of a large snapshot may not fit. In bytes. */
const FREE_BYTES_LOW = 256 << 20

async function lookAtDisk({ world, rooms }: Context): Promise<Seen> {
  const machine = await rooms.machine()
  const folders = [world.folders.data, world.folders.cache].map((folder) => nearest(world.files, folder))
  const free = folders.flatMap((folder) => machine.freeBytes(folder) ?? [])
  const least = Math.min(...free)
  if (free.length === 0) return ok('the system does not say how much is free')
  const text = `${shortBytes(least)} free`
  if (least >= FREE_BYTES_LOW) return ok(text)
  return warning(text, `free some space; ${shellWord(world.folders.cache)} can be deleted at any time`)
}
