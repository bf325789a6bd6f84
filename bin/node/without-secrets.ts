/** Members whose value is never logged, in any case. */
const SECRET_NAMES: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'cookies',
  'set-cookie',
  'x-api-key',
  'key',
  'api_key',
  'apikey',
  'admin_key',
  'code',
  'state',
  'token',
  'access_token',
  'refresh_token',
  'id_token',
  'secret',
  'client_secret',
  'password',
  'database_url'
])

const SECRET = '[secret]'
const UNREADABLE = '[unreadable]'
const DEPTH_MAX = 8

/**
 * Returns log fields without secrets at any depth: neither members that hold them nor parts of texts. Never throws;
 * what cannot be read is replaced by a note.
 */
export function withoutSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  try {
    return cleanMembers(fields, 0)
  } catch {
    return { fields: UNREADABLE }
  }
}

/** Removes keys and passwords from a text. */
export function textWithoutSecrets(text: string): string {
  return text
    .replace(/\bmk_[A-Za-z0-9_-]{20,}/g, `mk_${SECRET}`)
    .replace(/\b(Bearer|Basic) +[\w.~+/=-]+/gi, `$1 ${SECRET}`)
    .replace(/(:\/\/[^:/?#\s@]*):[^/?#\s]*@/g, `$1:${SECRET}@`)
}

function cleanMembers(value: object, depth: number): Record<string, unknown> {
  const members = Object.entries(value).map(([name, member]): [string, unknown] => {
    return [name, SECRET_NAMES.has(name.toLowerCase()) ? SECRET : clean(member, depth + 1)]
  })
  return Object.fromEntries(members)
}

function clean(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return textWithoutSecrets(value)
  if (typeof value === 'bigint') return String(value)
  // A member `toJSON` would determine what is written.
  if (typeof value === 'function') return undefined
  if (typeof value !== 'object' || value === null) return value
  if (depth > DEPTH_MAX) return '[deeper]'
  if (value instanceof Error) return cleanError(value, depth)
  if (Array.isArray(value)) return value.map((one) => clean(one, depth + 1))
  return cleanMembers(value, depth)
}

/** Converts an error to its name, message, stack and cause. Its other members may contain anything. */
function cleanError(error: Error, depth: number): Record<string, unknown> {
  return {
    name: error.name,
    message: textWithoutSecrets(error.message),
    stack: textWithoutSecrets(error.stack ?? ''),
    ...(error.cause === undefined ? {} : { cause: clean(error.cause, depth + 1) })
  }
}
