import { openConnection } from './http-connection.mjs'

/**
 * Sends requests over several connections at once until all are answered. Returns the duration of each (ms, ascending)
 * and in total (seconds). `requestOf(n)` is the nth request's bytes. A status that is not in `statuses` ends the run.
 */
export async function runLoad({ origin, connections, count, requestOf, statuses = [200, 201] }) {
  const opened = await Promise.all(Array.from({ length: connections }, () => openConnection(origin)))
  const times = []
  let next = 0
  const work = async (connection) => {
    while (next < count) {
      const request = requestOf(next++)
      const start = performance.now()
      const { status, body } = await connection.send(request)
      times.push(performance.now() - start)
      if (!statuses.includes(status)) throw new Error(`status ${status}: ${body.toString().slice(0, 300)}`)
    }
  }
  const start = performance.now()
  try {
    await Promise.all(opened.map(work))
  } finally {
    for (const connection of opened) connection.close()
  }
  return { times: times.sort((a, b) => a - b), seconds: (performance.now() - start) / 1000 }
}

/** Returns a percentile of ascending values. */
export function percentile(values, percent) {
  return values[Math.min(values.length - 1, Math.floor((values.length * percent) / 100))]
}

/** Repeats a request with a pause until told to stop. Returns the durations in ms, ascending. */
export async function probe({ origin, request, pauseMs }) {
  const connection = await openConnection(origin)
  const times = []
  let going = true
  const work = (async () => {
    while (going) {
      const start = performance.now()
      await connection.send(request)
      times.push(performance.now() - start)
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  })()
  return async () => {
    going = false
    await work
    connection.close()
    return times.sort((a, b) => a - b)
  }
}
