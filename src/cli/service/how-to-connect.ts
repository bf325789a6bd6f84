import type { Context } from '../context.ts'
import { nextCommand } from './next-command.ts'

/** The command that links an account of one kind, and the one that names the others. */
export function howToConnect(context: Context): string {
  return `${nextCommand(context, 'memctl connect mailbox')} links an account, ${nextCommand(context, 'memctl providers')} names the other kinds`
}
