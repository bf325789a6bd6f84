import { setFlagsFromString } from 'node:v8'

/**
 * Keeps V8 from optimising SQLite's WebAssembly: that takes 50 ms and 30 MB on another thread, more than a command that
 * asks a few questions and ends can win back; an index is built as fast without it. Only for Node 20, where it was
 * measured; others may not know the flag.
 */
export function tuneEngine(): void {
  if (process.versions.node.startsWith('20.')) setFlagsFromString('--liftoff-only')
}

/** Takes that back, before any WebAssembly was compiled: a process that answers for long wins by it. */
export function fullEngine(): void {
  if (process.versions.node.startsWith('20.')) setFlagsFromString('--no-liftoff-only')
}
