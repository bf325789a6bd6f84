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
 * Limits the heap in all threads to grow by a quarter of the live data before it is collected. By default, V8 lets it
 * grow further: ingesting a ChatGPT export of 40 MB took 362 MB at the peak, and takes 235 MB with the limit.
 */
export function limitHeapGrowth(): void {
  if (process.versions.node.startsWith('20.')) setFlagsFromString('--heap-growing-percent=25')
}

/**
 * Tunes a long-running process. Enables the optimization of WebAssembly again, before any is compiled, and limits the
 * growth of the heap, because web requests are referenced weakly, so only a full collection frees them.
 */
export function fullEngine(): void {
  if (process.versions.node.startsWith('20.')) setFlagsFromString('--no-liftoff-only')
  limitHeapGrowth()
}

/**
 * Stops the young generation of the main thread from growing beyond its current size of some megabytes, since it would
 * only be filled. Must be called after a thread was started, because each start resets it.
 */
export function settleEngine(): void {
  if (process.versions.node.startsWith('20.')) setFlagsFromString('--semi-space-growth-factor=1')
}
