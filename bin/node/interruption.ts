/**
 * A signal that is aborted by SIGINT or SIGTERM, its reason being the name. The second one ends the process at once, as
 * if nobody listened.
 */
export function nodeInterruption(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, stop)
  return controller.signal

  function stop(name: 'SIGINT' | 'SIGTERM'): void {
    if (!controller.signal.aborted) {
      controller.abort(name)
      return
    }
    process.removeAllListeners(name)
    process.kill(process.pid, name)
  }
}
