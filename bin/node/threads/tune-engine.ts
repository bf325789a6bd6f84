import { setFlagsFromString } from 'node:v8'

/**
 * Prevents V8 from optimizing SQLite's WebAssembly. That takes 50 ms and 30 MB on another thread, more than a short
 * command gains; building an index is as fast without it. Applies only to Node 20, where it was measured, because
 * others may not have the flag.
 */
export function tuneEngine(): void {
  if (process.versions.node.startsWith('20.')) setFlagsFromString('--liftoff-only')
}

/**
 * Tunes a long-running process. Enables the optimization of WebAssembly again, before any is compiled. Limits the heap
 * in all threads to grow by a quarter of the live data before it is collected. Web requests are referenced weakly, so
 * only a full collection frees them, and V8 by default delays it for hundreds of megabytes.
 */
export function fullEngine(): void {
  if (!process.versions.node.startsWith('20.')) return
  setFlagsFromString('--no-liftoff-only')
  setFlagsFromString('--heap-growing-percent=25')
}

/**
 * Stops the young generation of the main thread from growing beyond its current size of some megabytes, since it would
 * only be filled. Must be called after a thread was started, because each start resets it.
 */
export function settleEngine(): void {
  if (process.versions.node.startsWith('20.')) setFlagsFromString('--semi-space-growth-factor=1')
}
