/**
 * Awaits work, or rejects with the signal's reason as soon as it is aborted. The work continues, and its result is
 * ignored.
 */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let leave: (() => void) | undefined
  const aborted = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason)
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave)
  })
  // The rejection of abandoned work must not be reported as unhandled.
  work.catch(() => undefined)
  try {
    return await Promise.race([work, aborted])
  } finally {
    if (leave !== undefined) signal.removeEventListener('abort', leave)
  }
}
