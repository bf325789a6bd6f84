import { Fault } from '../../contract/faults.ts'
import { drawWrapped } from '../output/draw-wrapped.ts'
import type { StyledLine } from '../output/styled-line.ts'
import { toPlainLine } from '../output/to-plain-text.ts'
import type { Context } from './context.ts'

type Question = {
  /** Lines that describe the subject, shown before the question. */
  about?: readonly StyledLine[]
  text: string
  /** The answer that Enter gives. */
  otherwise: boolean
  /** The flag that answers the question, and the complete command with that flag. */
  flag: string
  command: string
}

/**
 * Asks a yes/no question unless `--yes` is given. After a yes, shows the command that skips the question. Throws a `Fault`
 * that names the flag if the session is not interactive.
 */
export async function ask(context: Context, question: Question): Promise<boolean> {
  if (context.flags.yes) return true
  if (!context.person) {
    await context.diagnostics.show(question.about ?? [])
    throw new Fault('input_needed', `${question.text} The session is not interactive`, {
      hint: `give ${question.flag}: ${question.command}`,
      next: [question.command]
    })
  }
  await showAbout(context, question.about ?? [])
  const yes = await context.world.terminal.confirm(toPlainLine(question.text), question.otherwise)
  if (yes) await context.diagnostics.hint(`to skip this question: ${question.command}`)
  return yes
}

/** Returns the fault of an action that the user declined at a prompt (exit 1). `kept` states what remains unchanged. */
export function makeDeclinedFault(kept: string): Fault {
  return new Fault('declined', `declined: ${kept}`)
}

/** Shows the subject of a question immediately, in every output mode. */
export async function showAbout({ world, flags }: Context, about: readonly StyledLine[]): Promise<void> {
  const { errors } = world.terminal
  for (const line of about) await errors.write(await drawWrapped(line, errors, errors.colors && flags.color))
}

/** Memories that an action would delete permanently. */
type Loss = {
  /** Lines that describe the loss, shown before the question. */
  about: readonly StyledLine[]
  text: string
  /** The id that the user must type or pass with `--confirm`. */
  id: string
  confirmed: string | undefined
  /** The complete command with `--confirm`. */
  command: string
}

/** Minimum number of characters, of the beginning or the end of an id, that the user must type. */
const TYPED_LEAST = 6

/**
 * Confirms the loss of memories: the user must pass the id with `--confirm` or type it. `--yes` is not enough. Throws a
 * `Fault` that names the flag if the session is not interactive.
 */
export async function askForLoss(context: Context, { about, text, id, confirmed, command }: Loss): Promise<boolean> {
  if (confirmed !== undefined) {
    if (confirmed.toLowerCase() === id) return true
    throw new Fault('usage', `invalid --confirm '${confirmed}': expected the id ${id}`, { hint: command })
  }
  if (!context.person) {
    await context.diagnostics.show(about)
    throw new Fault('input_needed', `${text} The session is not interactive`, {
      hint: `give --confirm: ${command}`,
      next: [command]
    })
  }
  await showAbout(context, about)
  const typed = (await context.world.terminal.askLine(toPlainLine(`${text} Type its id to continue:`)))
    .trim()
    .toLowerCase()
  if (typed.length < TYPED_LEAST || !(id.startsWith(typed) || id.endsWith(typed))) return false
  await context.diagnostics.hint(`to skip this question: ${command}`)
  return true
}
