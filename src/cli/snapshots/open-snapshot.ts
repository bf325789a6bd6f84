import { dirname } from 'node:path'
import { Fault, faultLike } from '../../contract/faults.ts'
import type { Device } from '../../device/device.ts'
import type { World } from '../../ports.ts'
import type { Context } from '../command/context.ts'
import { parseDuration } from '../input/parse-time.ts'
import { makeSystemFault } from '../input/read-file-bytes.ts'
import { spoolInput } from '../input/spool-input.ts'
import { shellWord } from '../output/short-forms.ts'
import type { LockOptions } from '../ports/lazy-modules.ts'
import { type ChosenSnapshot, chooseSnapshot } from './choose-snapshot.ts'

/** Opens the snapshot that the command means for reading, runs the work, and puts away what was opened. */
export async function openSnapshot(context: Context, work: Work): Promise<void> {
  const chosen = chooseSnapshot(context.world, context.settings)
  if (chosen.path !== '-') return await withDevice(context, toPlace(existing(context, chosen)), work)
  await spoolInput(context.world, async (path) => {
    try {
      await withDevice(context, { path, name: 'stdin' }, (device) => work(device, { path: '-' }))
    } finally {
      const deviceModule = await context.device()
      deviceModule.dropIndex(context.world, path)
    }
  })
}

/** The same for a command that writes: the file cannot be stdin. */
export async function openSnapshotForWriting(context: Context, work: Work): Promise<void> {
  await withDevice(context, toPlace(existing(context, writable(context))), work)
}

/** For a command that shows what it would write: the default snapshot need not be there yet. */
export async function openSnapshotForPreview(context: Context, work: Work): Promise<void> {
  const chosen = writable(context)
  await withDevice(context, toPlace(chosen.why === 'default' ? chosen.path : existing(context, chosen)), work)
}

/**
 * For a command that stores: the default snapshot is made when it is missing, after `test` found nothing wrong with what
 * is to be stored, so that input that is refused leaves nothing behind.
 */
export async function openSnapshotForStoring(context: Context, store: { test: Work; work: Work }): Promise<void> {
  const chosen = writable(context)
  if (chosen.why === 'default' && isMissing(context, chosen.path)) {
    const deviceModule = await context.device()
    await store.test(deviceModule.open(context.world, chosen.path, lockOptions(context)), {})
    await makeDefault(context, chosen.path)
  }
  await withDevice(context, toPlace(existing(context, chosen)), store.work)
}

/** `path` is what reports call the snapshot, where that is not what the device was opened with: `-` for stdin. */
type Work = (device: Device, as: { path?: '-' }) => Promise<void>

function writable({ world, settings }: Context): ChosenSnapshot {
  const chosen = chooseSnapshot(world, settings)
  if (chosen.path !== '-') return chosen
  throw new Fault('usage', 'this command writes to the snapshot, so it cannot be stdin', {
    hint: 'name a file with --snapshot'
  })
}

/** ` --snapshot FILE` for a command in a hint, where this command was given one; else empty. */
export function snapshotFlag({ flags }: Pick<Context, 'flags'>): string {
  return flags.snapshot === undefined ? '' : ` --snapshot ${shellWord(flags.snapshot)}`
}

/** From the setting `lock_wait`. */
export function lockOptions(context: Context): LockOptions {
  return { lockWaitMs: parseDuration(context.settings.get('lock_wait').value ?? '') ?? 0 }
}

function toPlace(path: string): Place {
  return { path, name: path }
}

type Place = { path: string; name: string }

/** `name` is what a person knows the file at the path by. */
async function withDevice(context: Context, { path, name }: Place, work: Work): Promise<void> {
  const deviceModule = await context.device()
  await context.diagnostics.show([[{ text: `snapshot: ${name}`, look: 'dim' }]])
  const device = deviceModule.open(context.world, path, lockOptions(context))
  try {
    await work(device, {})
  } catch (error) {
    throw ofNamedSnapshot(context, error)
  } finally {
    device.close()
  }
}

/** The device knows no flags: a command that its hint ends with is completed by the snapshot that was named. */
function ofNamedSnapshot({ flags }: Context, error: unknown): unknown {
  if (!(error instanceof Fault) || flags.snapshot === undefined || !/memctl device \w+$/.test(error.hint ?? ''))
    return error
  return faultLike(error, { hint: `${error.hint}${snapshotFlag({ flags })}` })
}

/** The path, where something must be. What it is shows when it is read. */
export function existing(context: Context, chosen: ChosenSnapshot): string {
  if (!isMissing(context, chosen.path)) return chosen.path
  throw missingSnapshot(context.world, chosen)
}

function isMissing({ world }: Context, path: string): boolean {
  return makeSystemFault(path, () => world.files.findEntry(path)) === undefined
}

async function makeDefault({ world, device, diagnostics }: Context, path: string): Promise<void> {
  const deviceModule = await device()
  makeSystemFault(world.folders.data, () => world.files.makeFolders(world.folders.data))
  try {
    await deviceModule.create(world, path, {})
    await diagnostics.show([[`made a new snapshot: ${path}`]])
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'exists') throw error
  }
}

/** The fault of a snapshot that is not there, with what makes it: an empty one, or one that has what a collection has. */
function missingSnapshot(world: Pick<World, 'files'>, chosen: ChosenSnapshot): Fault {
  if (chosen.why === 'default') {
    return new Fault('snapshot_missing', 'nothing has been stored yet', {
      hint: 'memctl device store "a text to remember"',
      next: ['memctl device store', 'memctl quickstart']
    })
  }
  const commands = commandsThatMake(world, chosen.path)
  const named = chosen.where === undefined ? '' : ` (named by ${chosen.where})`
  return new Fault('snapshot_missing', `there is no snapshot ${chosen.path}${named}`, {
    hint: hintToMake(world, chosen.path),
    next: commands.folder === undefined ? [commands.empty, commands.exported] : [commands.folder, commands.empty]
  })
}

/** What to do where no snapshot is, in a line: its folder first, where that is missing too. */
export function hintToMake(world: Pick<World, 'files'>, path: string): string {
  const { folder, empty, exported } = commandsThatMake(world, path)
  const first = folder === undefined ? '' : `${folder}, then: `
  return `${first}${empty} makes an empty one, ${exported} one of a collection`
}

function commandsThatMake({ files }: Pick<World, 'files'>, path: string) {
  const folder = dirname(path)
  return {
    folder: files.find(folder) === undefined ? makeFolderCommand(folder) : undefined,
    empty: `memctl device init ${shellWord(path)}`,
    exported: `memctl device export -c COLLECTION -o ${shellWord(path)}`
  }
}

/** The command of the shell that makes a folder and those above it. */
export function makeFolderCommand(folder: string): string {
  return `mkdir -p ${shellWord(folder)}`
}
