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

/** Opens the chosen snapshot for reading, runs the work, and closes the snapshot. */
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

/** Opens the chosen snapshot for writing. It cannot be stdin. */
export async function openSnapshotForWriting(context: Context, work: Work): Promise<void> {
  await withDevice(context, toPlace(existing(context, writable(context))), work)
}

/** Opens the chosen snapshot for a dry run. The default snapshot need not exist. */
export async function openSnapshotForPreview(context: Context, work: Work): Promise<void> {
  const chosen = writable(context)
  await withDevice(context, toPlace(chosen.why === 'default' ? chosen.path : existing(context, chosen)), work)
}

/**
 * Opens the chosen snapshot for storing. Creates the default snapshot if it is missing, but only after `test` has accepted the
 * input, so that invalid input does not leave an empty file.
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

/** Work on an open device. `path` is set to `-` if the snapshot came from stdin, for use in reports. */
type Work = (device: Device, as: { path?: '-' }) => Promise<void>

function writable({ world, settings }: Context): ChosenSnapshot {
  const chosen = chooseSnapshot(world, settings)
  if (chosen.path !== '-') return chosen
  throw new Fault('usage', 'this command writes to the snapshot, so it cannot read it from stdin', {
    hint: 'use --snapshot FILE'
  })
}

/** Returns ` --snapshot FILE` for a command in a hint if the current command has it; otherwise an empty text. */
export function snapshotFlag({ flags }: Pick<Context, 'flags'>): string {
  return flags.snapshot === undefined ? '' : ` --snapshot ${shellWord(flags.snapshot)}`
}

/** Returns the lock options from the setting `lock_wait`. */
export function lockOptions(context: Context): LockOptions {
  return { lockWaitMs: parseDuration(context.settings.get('lock_wait').value ?? '') ?? 0 }
}

function toPlace(path: string): Place {
  return { path, name: path }
}

type Place = { path: string; name: string }

/** Opens the file at `path` and shows it on stderr as `name`. */
async function withDevice(context: Context, { path, name }: Place, work: Work): Promise<void> {
  const deviceModule = await context.device()
  await context.diagnostics.show([[{ text: `snapshot: ${name}`, look: 'dim' }]])
  const device = deviceModule.open(context.world, path, lockOptions(context))
  try {
    await work(device, {})
  } catch (error) {
    throw addSnapshotFlag(context, error)
  } finally {
    device.close()
  }
}

/** Adds `--snapshot` to a command at the end of a hint. The device layer does not know the flag. */
function addSnapshotFlag({ flags }: Context, error: unknown): unknown {
  if (!(error instanceof Fault) || flags.snapshot === undefined || !/memctl device \w+$/.test(error.hint ?? ''))
    return error
  return faultLike(error, { hint: `${error.hint}${snapshotFlag({ flags })}` })
}

/** Returns the path of the snapshot, which must exist. Reading it later shows whether it is valid. */
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
    await diagnostics.show([[`Created a new snapshot: ${path}`]])
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'exists') throw error
  }
}

/** Builds the fault for a missing snapshot, with the commands that create an empty one or export a collection. */
function missingSnapshot(world: Pick<World, 'files'>, chosen: ChosenSnapshot): Fault {
  if (chosen.why === 'default') {
    return new Fault('snapshot_missing', 'nothing has been stored yet', {
      hint: 'store something: memctl device store "a text to remember"',
      next: ['memctl device store', 'memctl quickstart']
    })
  }
  const commands = commandsThatMake(world, chosen.path)
  const named = chosen.where === undefined ? '' : ` (set by ${chosen.where})`
  return new Fault('snapshot_missing', `the snapshot ${chosen.path}${named} does not exist`, {
    hint: hintToMake(world, chosen.path),
    next: commands.folder === undefined ? [commands.empty, commands.exported] : [commands.folder, commands.empty]
  })
}

/** Returns the hint that explains how to create a missing snapshot, and its folder if that is missing too. */
export function hintToMake(world: Pick<World, 'files'>, path: string): string {
  const { folder, empty, exported } = commandsThatMake(world, path)
  const first = folder === undefined ? '' : `${folder}, then `
  return `${first}create an empty one: ${empty}; or export a collection: ${exported}`
}

function commandsThatMake({ files }: Pick<World, 'files'>, path: string) {
  const folder = dirname(path)
  return {
    folder: files.find(folder) === undefined ? makeFolderCommand(folder) : undefined,
    empty: `memctl device init ${shellWord(path)}`,
    exported: `memctl device export -c COLLECTION -o ${shellWord(path)}`
  }
}

/** Returns the shell command that creates a folder and its parents. */
export function makeFolderCommand(folder: string): string {
  return `mkdir -p ${shellWord(folder)}`
}
