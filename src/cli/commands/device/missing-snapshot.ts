import { dirname } from 'node:path'
import { Fault } from '../../../contract/faults.ts'
import type { World } from '../../../ports.ts'
import { shellWord } from '../../output/short-forms.ts'
import type { ChosenSnapshot } from '../../settings/choose-snapshot.ts'

/** The fault of a snapshot that is not there, with what makes it: an empty one, or one that has what a collection has. */
export function missingSnapshot(world: Pick<World, 'files'>, chosen: ChosenSnapshot): Fault {
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
