import { Fault } from '../contract/faults.ts'
import { showAbout } from './ask.ts'
import type { Context } from './context.ts'
import type { Line } from './output/line.ts'
import { plainLine } from './output/plain-text.ts'

/** What would be lost for good. */
export type Loss = {
  /** What it is about, shown before it is asked. */
  about: readonly Line[]
  text: string
  /** The id to type, or to give with `--confirm`. */
  id: string
  confirmed: string | undefined
  /** The whole command with its flag. */
  command: string
}

/** Characters of an id that have to be typed at least. */
const TYPED_LEAST = 6

/**
 * Whether memories may be lost: only to who names the id, by `--confirm` or by typing it. `--yes` does not do. With nobody
 * there it is a fault that names the flag.
 */
export async function askForLoss(context: Context, { about, text, id, confirmed, command }: Loss): Promise<boolean> {
  if (confirmed !== undefined) {
    if (confirmed.toLowerCase() === id) return true
    throw new Fault('usage', `--confirm '${confirmed}' is not the id ${id}`, { hint: command })
  }
  if (!context.person) {
    await context.talk.show(about)
    throw new Fault('input_needed', `${text} Nobody is here to answer`, {
      hint: `give --confirm: ${command}`,
      next: [command]
    })
  }
  await showAbout(context, about)
  const typed = (await context.world.terminal.askLine(plainLine(`${text} Type its id to go on:`))).trim().toLowerCase()
  if (typed.length < TYPED_LEAST || !id.startsWith(typed)) return false
  await context.talk.hint(`the same without a question: ${command}`)
  return true
}
