/**
 * Awaits work, or rejects with the signal's reason as soon as it is aborted. The work continues, and its result is
 * ignored.
 */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // The rejection of abandoned work must not be reported as unhandled.
  work.catch(() => undefined)
  signal.throwIfAborted()
  let leave: (() => void) | undefined
  const aborted = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason)
    signal.addEventListener('abort', leave)
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    if (leave !== undefined) signal.removeEventListener('abort', leave)
  }
}
