/** The same stream, but that it rejects with the signal's reason as soon as that is aborted, also while it is waited for. */
export async function* stoppable<T>(stream: AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
  if (signal === undefined) return yield* stream
  const iterator = stream[Symbol.asyncIterator]()
  let isDone = false
  try {
    for (;;) {
      const next = await unlessAborted(iterator.next(), signal)
      isDone = next.done === true
      if (next.done) return
      yield next.value
    }
  } finally {
    // Not awaited: a stream that is being waited for ends with what it waits for, which may be never.
    if (!isDone) iterator.return?.().catch(() => undefined)
  }
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  let stop: (() => void) | undefined
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    if (stop !== undefined) signal.removeEventListener('abort', stop)
  }
}
