import type { QuestionOptions } from '../contract/question-options.ts'
import type { Device } from '../device/device.ts'
import type { IndexOpening, Memories } from './port/memories.ts'

/** The origins of the memories that an assistant sees. */
export type OriginLimits = { onlyOrigins: readonly string[]; excludedOrigins: readonly string[] }

/** What an assistant may do with the memories of a snapshot, and which of them it sees. */
export type DeviceLimits = OriginLimits & {
  write: boolean
  forget: boolean
  opening?: IndexOpening | undefined
}

/** Returns the memories of a device within the limits. */
export function createDeviceMemories(device: Device, limits: DeviceLimits): Memories {
  const { write, forget, opening } = limits
  const origins = toOriginOptions(limits)
  return {
    opening,
    search: async (query, options) => (await device.search(query, { ...options, ...origins })).response,
    recent: (options) => device.recent({ ...options, ...origins }),
    read: (ids, { around }) => device.read(ids, { around, ...origins }),
    ...(write && {
      async store({ origin, ...input }) {
        const { id, at } = await device.store({ ...input, metadata: { origin } })
        return { id, at }
      }
    }),
    ...(forget && { forget: (ids: readonly string[]) => device.forget([...ids]) })
  }
}

/** Formats of `memctl ingest` with the content of a provider: an origin names both. */
const FORMATS: Readonly<Record<string, string>> = { mailbox: 'mail', team_chat: 'slack', notes: 'notion' }

function withFormat(origin: string): string[] {
  const name = origin.toLowerCase()
  const format = FORMATS[name]
  return format === undefined ? [name] : [name, format]
}

/** Converts the limits to options of a search. */
export function toOriginOptions({
  onlyOrigins,
  excludedOrigins
}: OriginLimits): Pick<QuestionOptions, 'only_sources' | 'except_sources'> {
  return {
    only_sources: onlyOrigins.length === 0 ? undefined : onlyOrigins.flatMap(withFormat),
    except_sources: excludedOrigins.length === 0 ? undefined : excludedOrigins.flatMap(withFormat)
  }
}
