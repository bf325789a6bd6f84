import { dirname } from 'node:path'

/** A folder and all those above it, the nearest first. */
export function* upward(folder: string): Generator<string> {
  for (let at = folder; ; at = dirname(at)) {
    yield at
    if (dirname(at) === at) return
  }
}
