import { Fault, faultLike } from '../../contract/faults.ts'
import type { Context } from '../command/context.ts'
import { shellWord } from '../output/short-forms.ts'

/** A command to go on with, for the server that this one was told to use. */
export function nextCommand({ flags }: Pick<Context, 'flags'>, command: string): string {
  return flags.server === undefined ? command : `${command} --server ${shellWord(flags.server)}`
}

/**
 * The fault of a command with what it names to go on with, for the server that the command was told to use: a server does not
 * know by which name it was called, and whoever looks for an id does not know that there is more than one server.
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

/** The words of a command that asks a server, up to its first flag; prose may follow. */
const ASKS_SERVER =
  /\bmemctl (?:providers\b|connect\b(?: [a-z_]+\b)?|(?:connections|collections|keys|memories) [a-z]+\b)(?: (?:[0-9a-f]{8}-[0-9a-f-]{27}|[A-Z]+)\b)*/g
