import { dirname } from 'node:path'
import type { Files } from '../ports.ts'
import { toAsidePath } from '../snapshot/aside.ts'

/** Where text that was forgotten still is, a sentence each; the snapshot at this real path itself first. */
export function textRemains(files: Files, real: string): string[] {
  const places = [`in ${real}, until it is compacted`]
  if (files.findEntry(toAsidePath(real)) !== undefined)
    places.push(`perhaps in ${toAsidePath(real)}, which memctl never deletes`)
  if (isInGitTree(files, real)) places.push('in the git history, where it was committed')
  places.push('in copies and exports made before')
  return places
}

function isInGitTree(files: Files, path: string): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const base = folder.endsWith('/') ? folder : `${folder}/`
    if (files.findEntry(`${base}.git`) !== undefined) return true
    if (dirname(folder) === folder) return false
  }
}
