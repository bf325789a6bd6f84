import { setFlagsFromString } from 'node:v8'

/**
 * Keeps V8 from optimising SQLite's WebAssembly: that takes 50 ms and 30 MB on another thread, more than a command that
 * asks a few questions and ends can win back; an index is built as fast without it. Only for Node 20, where it was
 * measured; others may not know the flag.
 */
export function tuneEngine(): void {
  if (process.versions.node.startsWith('20.')) setFlagsFromString('--liftoff-only')
}

/**
 * For a process that answers for long. Takes that back, before any WebAssembly was compiled, since it wins by it; and lets the heap grow by
 * a quarter of what is alive before it is tidied, in all threads. Requests of the web's kind are held weakly, so that only a whole
 * tidying frees them: by itself V8 waits with that for hundreds of megabytes.
 */
export function fullEngine(): void {
  if (!process.versions.node.startsWith('20.')) return
  setFlagsFromString('--no-liftoff-only')
  setFlagsFromString('--heap-growing-percent=25')
}

/**
 * Once a thread of a server has started: what lives shortly gets no more room in the first thread than it has by then, some megabytes.
 * More would only be filled, whatever there is to do. Each start of a thread takes that back.
 */
export function settleEngine(): void {
  if (process.versions.node.startsWith('20.')) setFlagsFromString('--semi-space-growth-factor=1')
}
