import { Fault } from '../../contract/faults.ts'
import { drawWrapped } from '../output/draw-wrapped.ts'
import type { StyledLine } from '../output/styled-line.ts'
import { toPlainLine } from '../output/to-plain-text.ts'
import type { Context } from './context.ts'

type Question = {
  /** What it is about, shown to whoever is there before it is asked. */
  about?: readonly StyledLine[]
  text: string
  /** What Enter means. */
  otherwise: boolean
  /** The flag that answers it, and the whole command with it. */
  flag: string
  command: string
}

/**
 * The answer to a yes/no question: from `--yes`, else from the person, who is then shown the command that does not ask.
 * With nobody there it is a fault that names the flag.
 */
export async function ask(context: Context, question: Question): Promise<boolean> {
  if (context.flags.yes) return true
  if (!context.person) {
    await context.diagnostics.show(question.about ?? [])
    throw new Fault('input_needed', `${question.text} Nobody is here to answer`, {
      hint: `give ${question.flag}: ${question.command}`,
      next: [question.command]
    })
  }
  await showAbout(context, question.about ?? [])
  const yes = await context.world.terminal.confirm(toPlainLine(question.text), question.otherwise)
  if (yes) await context.diagnostics.hint(`the same without a question: ${question.command}`)
  return yes
}

/** The fault of an action that a person declines at a prompt: exit 1. `kept` says what stays as it is. */
export function makeDeclinedFault(kept: string): Fault {
  return new Fault('declined', `declined: ${kept}`)
}

/** What a question is about, to whoever is there: it is never held back. */
export async function showAbout({ world, flags }: Context, about: readonly StyledLine[]): Promise<void> {
  const { errors } = world.terminal
  for (const line of about) await errors.write(await drawWrapped(line, errors, errors.colors && flags.color))
}

/** What would be lost for good. */
type Loss = {
  /** What it is about, shown before it is asked. */
  about: readonly StyledLine[]
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
    await context.diagnostics.show(about)
    throw new Fault('input_needed', `${text} Nobody is here to answer`, {
      hint: `give --confirm: ${command}`,
      next: [command]
    })
  }
  await showAbout(context, about)
  const typed = (await context.world.terminal.askLine(toPlainLine(`${text} Type its id to go on:`)))
    .trim()
    .toLowerCase()
  if (typed.length < TYPED_LEAST || !id.startsWith(typed)) return false
  await context.diagnostics.hint(`the same without a question: ${command}`)
  return true
}
