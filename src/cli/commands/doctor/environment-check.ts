import { dirname } from 'node:path'
import type { Context } from '../../command/context.ts'
import { isNear } from '../../input/is-near.ts'
import { formatCount, shellWord } from '../../output/short-forms.ts'
import { environmentRows } from '../help/environment.ts'
import { ok, type Seen, warning } from './check.ts'

/** What all our variables begin with. */
const OURS = 'MEMCTL_'

/** Given to a server in the background by the program itself. */
const INTERNAL: ReadonlySet<string> = new Set(['MEMCTL_SERVER_LOG_FILE'])

/** A variable that nobody reads is the quietest of all mistakes. Values are never shown. */
export async function lookAtEnvironment(context: Context): Promise<Seen | Seen[]> {
  const { settings } = context.world
  const rows = await environmentRows(context)
  const known = rows.map(({ variable }) => variable)
  const set = Object.keys(settings).filter((name) => (settings[name] ?? '') !== '')
  const wrong = [
    ...set.filter((name) => !known.includes(name) && !INTERNAL.has(name)).flatMap((name) => misspelt(name, known)),
    ...severalKeys(set),
    ...openKeyFile(context)
  ]
  if (wrong.length > 0) return wrong
  const ours = set.filter((name) => name.startsWith(OURS))
  return ok(ours.length === 0 ? `no ${OURS} variables` : `${formatCount(ours.length, 'variable')} of memctl`)
}

function misspelt(name: string, known: readonly string[]): Seen[] {
  const upper = name.toUpperCase()
  const meant = known.find((one) => one.startsWith(OURS) && isNear(upper, one))
  const isOurs = upper.startsWith(OURS)
  if (!isOurs && (meant === undefined || name.length < NAME_LEAST)) return []
  const hint = meant === undefined ? `unset ${name}; memctl help environment lists those that are read` : undefined
  return [warning(`nothing reads the variable ${name}`, hint ?? `did you mean ${meant}? Else: unset ${name}`)]
}

/** A shorter name is likely somebody else's. In letters. */
const NAME_LEAST = 10

/** In the order in which they win. */
const KEY_SOURCES = ['MEMCTL_API_KEY', 'MEMCTL_API_KEY_FILE', 'MEMCTL_API_KEY_COMMAND']

function severalKeys(set: readonly string[]): Seen[] {
  const [used, ...others] = KEY_SOURCES.filter((name) => set.includes(name))
  if (used === undefined || others.length === 0) return []
  return [warning(`the key is taken from ${used}, and not from ${others.join(' or ')}`, `unset ${others.join(' ')}`)]
}

/** Permissions of group and others: to read or write a file, to pass through a folder. */
const OF_OTHERS = 0o066
const THROUGH = 0o011

/** Where a container or a runner puts secrets for its processes alone. */
const MOUNTED = /^(\/var)?\/run\/secrets\//

function openKeyFile({ world: { files, settings } }: Context): Seen[] {
  const path = settings.MEMCTL_API_KEY_FILE ?? ''
  if (path === '' || path === '-' || MOUNTED.test(path)) return []
  const found = files.find(path)
  const mode = found?.mode ?? 0
  const folder = files.find(dirname(path))?.mode ?? 0
  if (found?.kind !== 'file' || (mode & OF_OTHERS) === 0 || (folder & THROUGH) === 0) return []
  return [warning(`${path}, which MEMCTL_API_KEY_FILE names, may be read by others`, `chmod 600 ${shellWord(path)}`)]
}
