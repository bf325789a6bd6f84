import type { Context } from '../context.ts'
import { shellWord } from '../output/short-forms.ts'

/** A command to go on with, for the server that this one was told to use. */
export function nextCommand({ flags }: Pick<Context, 'flags'>, command: string): string {
  return flags.server === undefined ? command : `${command} --server ${shellWord(flags.server)}`
}
