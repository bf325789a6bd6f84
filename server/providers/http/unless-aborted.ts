/** What becomes of some work, or the reason of the signal as soon as it is aborted: the work goes on, and nobody waits for it. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let leave: (() => void) | undefined
  const aborted = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason)
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave)
  })
  // One that nobody waits for any more must not fall as an unhandled one.
  work.catch(() => undefined)
  try {
    return await Promise.race([work, aborted])
  } finally {
    if (leave !== undefined) signal.removeEventListener('abort', leave)
  }
}
