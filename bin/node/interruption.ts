/**
 * A signal that is aborted by SIGINT or SIGTERM, its reason being the name. After that a SIGINT ends the process at once, as
 * if nobody listened: a person who presses Ctrl-C again has waited enough. To be told once more by SIGTERM changes nothing.
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
    if (name === 'SIGTERM') return
    process.removeAllListeners(name)
    process.kill(process.pid, name)
  }
}
