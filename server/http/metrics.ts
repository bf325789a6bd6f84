/*
 * prom-client was rejected: it brings OpenTelemetry and keeps its own state, while all numbers here are read from the
 * parts that have them.
 */

/** Counts requests, and renders the metrics in the text format of Prometheus. */
export type Metrics = {
  /** `route` is a path with its parameters as names, which limits the number of series. */
  countReply(reply: { route: string; method: string; status: number; seconds: number }): void
  text(now: { gauges: Gauges; counters: Counters }): string
}

/** Values by name, with their descriptions. */
export type Gauges = Readonly<Record<string, { help: string; value: number }>>

/**
 * Counts by name, with their descriptions. Each has a count for each set of labels: `''` for none, else as in
 * `outcome="failed"`.
 */
export type Counters = Readonly<Record<string, { help: string; values: Readonly<Record<string, number>> }>>

/** Upper bounds of the duration buckets, in seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

type Durations = { classes: number[]; sum: number; count: number }

/** Creates counters that start at zero. */
export function createMetrics(): Metrics {
  const replies = new Map<string, number>()
  const durations = new Map<string, Durations>()

  return {
    countReply({ route, method, status, seconds }) {
      const labels = `route="${route}",method="${method}"`
      const reply = `${labels},status="${status}"`
      replies.set(reply, (replies.get(reply) ?? 0) + 1)
      const known = durations.get(labels) ?? { classes: BOUNDS.map(() => 0), sum: 0, count: 0 }
      durations.set(labels, known)
      known.sum += seconds
      known.count++
      const at = BOUNDS.findIndex((bound) => seconds <= bound)
      if (at >= 0) known.classes[at] = (known.classes[at] ?? 0) + 1
    },
    text({ gauges, counters }) {
      const counted = {
        memctl_http_requests_total: { help: 'Requests that received a reply.', values: Object.fromEntries(replies) }
      }
      const lines = [
        ...counterLines(counted),
        ...durationLines(durations),
        ...gaugeLines(gauges),
        ...counterLines(counters)
      ]
      return `${lines.join('\n')}\n`
    }
  }
}

function counterLines(counters: Counters): string[] {
  return Object.entries(counters).flatMap(([name, { help, values }]) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} counter`,
    ...Object.entries(values).map(([labels, count]) => `${name}${labels && `{${labels}}`} ${count}`)
  ])
}

function durationLines(durations: ReadonlyMap<string, Durations>): string[] {
  const name = 'memctl_http_request_duration_seconds'
  return [
    `# HELP ${name} Time from the request line to the last byte of the reply.`,
    `# TYPE ${name} histogram`,
    ...[...durations].flatMap(([labels, { classes, sum, count }]) => {
      let total = 0
      const buckets = BOUNDS.map((bound, at) => {
        total += classes[at] ?? 0
        return `${name}_bucket{${labels},le="${bound}"} ${total}`
      })
      const rest = [`${name}_bucket{${labels},le="+Inf"} ${count}`, `${name}_sum{${labels}} ${sum}`]
      return [...buckets, ...rest, `${name}_count{${labels}} ${count}`]
    })
  ]
}

function gaugeLines(gauges: Gauges): string[] {
  return Object.entries(gauges).flatMap(([name, { help, value }]) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    `${name} ${value}`
  ])
}
