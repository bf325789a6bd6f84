/** What becomes of some work, or the reason of the signal as soon as it is aborted: the work goes on, and nobody waits for it. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const over = new AbortController()
  // One that nobody waits for any more must not fall as an unhandled one.
  work.catch(() => undefined)
  try {
    return await Promise.race([work, reasonOf(signal, over.signal)])
  } finally {
    over.abort()
  }
}

function reasonOf(signal: AbortSignal, over: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { signal: over })
  })
}
