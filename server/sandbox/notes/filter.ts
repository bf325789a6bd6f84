import * as z from 'zod'

/** A filter by times: developers.notion.com/reference/filter-data-source-entries#timestamp. Those by columns are not covered. */
export type Filter = { and: Filter[] } | { or: Filter[] } | TimeFilter

const Time = z.string().refine((text) => !Number.isNaN(Date.parse(text)), 'should be a valid ISO 8601 date string')

const Condition = z.union([
  z.strictObject({ on_or_after: Time }),
  z.strictObject({ after: Time }),
  z.strictObject({ on_or_before: Time }),
  z.strictObject({ before: Time })
])

const TimeFilter = z.union([
  z.strictObject({ timestamp: z.literal('last_edited_time'), last_edited_time: Condition }),
  z.strictObject({ timestamp: z.literal('created_time'), created_time: Condition })
])

type TimeFilter = z.infer<typeof TimeFilter>

export const Filter: z.ZodType<Filter> = z.lazy(() =>
  z.union([
    z.strictObject({ and: z.array(Filter).max(100) }),
    z.strictObject({ or: z.array(Filter).max(100) }),
    TimeFilter
  ])
)

/** Whether something made and edited then (ms) passes. Times are compared as replies have them, to the minute. */
export function passes(filter: Filter, times: { createdAt: number; editedAt: number }): boolean {
  if ('and' in filter) return filter.and.every((one) => passes(one, times))
  if ('or' in filter) return filter.or.some((one) => passes(one, times))
  if (filter.timestamp === 'created_time') return fits(filter.created_time, times.createdAt)
  return fits(filter.last_edited_time, times.editedAt)
}

function fits(condition: z.infer<typeof Condition>, exact: number): boolean {
  const at = exact - (exact % 60_000)
  if ('on_or_after' in condition) return at >= minute(condition.on_or_after)
  if ('after' in condition) return at > minute(condition.after)
  if ('on_or_before' in condition) return at <= minute(condition.on_or_before)
  return at < minute(condition.before)
}

function minute(time: string): number {
  const at = Date.parse(time)
  return at - (at % 60_000)
}
