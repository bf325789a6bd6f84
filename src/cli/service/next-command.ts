import { Fault, faultLike } from '../../contract/faults.ts'
import type { Context } from '../command/context.ts'
import { shellWord } from '../output/short-forms.ts'

/** Adds `--server` to a suggested command if the current command has it. */
export function nextCommand({ flags }: Pick<Context, 'flags'>, command: string): string {
  return flags.server === undefined ? command : `${command} --server ${shellWord(flags.server)}`
}

/**
 * Adds `--server` to the commands in a fault's hint and `next` if the current command has it. The code that creates the fault
 * does not know the flag.
 */
export function faultOnSameServer(error: unknown, { flags }: Pick<Context, 'flags'>): unknown {
  if (!(error instanceof Fault) || flags.server === undefined) return error
  const server = ` --server ${shellWord(flags.server)}`
  const addServer = (text: string): string =>
    text.includes(' --server ') ? text : text.replaceAll(ASKS_SERVER, (command) => `${command}${server}`)
  const hint = error.hint === undefined ? undefined : addServer(error.hint)
  if (hint === error.hint && error.next.every((one) => addServer(one) === one)) return error
  return faultLike(error, { hint, next: error.next.map(addServer) })
}

/** Matches a command that sends requests to a server, up to its first flag. Prose may follow it. */
const ASKS_SERVER =
  /\bmemctl (?:providers\b|connect\b(?: [a-z_]+\b)?|(?:connections|collections|keys|memories) [a-z]+\b)(?: (?:[0-9a-f]{8}-[0-9a-f-]{27}|[A-Z]+)\b)*/g
