import { watch } from 'node:fs'

/** Watches a file, or a folder with all that is in it. Where the system refuses, nothing is reported. */
export function watchPath(path: string, onChange: () => void): () => void {
  try {
    const watcher = watch(path, { recursive: true, persistent: false }, () => onChange())
    watcher.on('error', () => undefined)
    return () => watcher.close()
  } catch {
    return () => undefined
  }
}
