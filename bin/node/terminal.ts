import { addAbortSignal } from 'node:stream'
import { isatty } from 'node:tty'
import { Fault } from '../../src/contract/faults.ts'
import type { Environment, Interaction, Output, Progress, SystemError, Terminal } from '../../src/ports.ts'
import { makeInteractionPrompt, type Surface } from './interaction-prompt.ts'
import { nodeInterruption } from './interruption.ts'
import { nodeOutput } from './output.ts'
import type { PlainPlace } from './plain-questions.ts'

/** The standard streams of this process, each opened when it is first used. */
export function nodeTerminal(environment: Environment): Terminal {
  let output: Output | undefined
  let errors: Output | undefined
  let interrupted: AbortSignal | undefined
  const drawsOver = isatty(2) && environment.TERM !== 'dumb'
  const terminal: Terminal = {
    input: { isTerminal: isatty(0), read: () => readInput(terminal.interrupted) },
    get output() {
      output ??= nodeOutput('stdout', process.stdout, environment)
      return output
    },
    get errors() {
      errors ??= nodeOutput('stderr', process.stderr, environment)
      return errors
    },
    drawsOver,
    get interrupted() {
      interrupted ??= nodeInterruption()
      return interrupted
    },
    ...(drawsOver ? DRAWN_QUESTIONS : plainQuestions(() => terminal.interrupted)),
    interact: (interaction) => interact(interaction, terminal.interrupted),
    progress: (text) => progress(text, terminal.errors.colors)
  }
  return terminal
}

/** An interruption ends the reading with an AbortError. */
async function* readInput(interrupted: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of addAbortSignal(interrupted, process.stdin)) yield chunk
  } catch (error) {
    if (interrupted.aborted) throw error
    throw new Fault('system_refused', `stdin: the system refused (${(error as SystemError).code})`, { cause: error })
  }
}

type Questions = Pick<Terminal, 'confirm' | 'askLine' | 'askSecret'>

const DRAWN_QUESTIONS: Questions = { confirm, askLine, askSecret }

/** For a terminal on which nothing can be drawn over. */
function plainQuestions(interrupted: () => AbortSignal): Questions {
  const plainly = async <Value>(ask: (plain: Plain, place: PlainPlace) => Promise<Value | undefined>) => {
    const { stdin: input, stderr: output } = process
    const answer = await ask(await import('./plain-questions.ts'), { input, output, signal: interrupted() })
    if (answer === undefined) throw stopped()
    return answer
  }
  return {
    confirm: (question, otherwise) => plainly((plain, place) => plain.confirmPlainly(question, otherwise, place)),
    askLine: (question) => plainly((plain, place) => plain.askPlainly(question, place)),
    askSecret: (question) => plainly((plain, place) => plain.askSecretPlainly(question, place))
  }
}

type Plain = typeof import('./plain-questions.ts')

async function confirm(question: string, otherwise: boolean): Promise<boolean> {
  const { confirm: ask } = await import('@inquirer/prompts')
  return await answered((context) => ask({ message: question, default: otherwise }, context))
}

async function askLine(question: string): Promise<string> {
  const { input: ask } = await import('@inquirer/prompts')
  return await answered((context) => ask({ message: question }, context))
}

async function askSecret(question: string): Promise<string> {
  const { password: ask } = await import('@inquirer/prompts')
  return await answered((context) => ask({ message: question, mask: false }, context))
}

async function interact(interaction: Interaction, signal: AbortSignal): Promise<void> {
  const prompt = makeInteractionPrompt(await import('@inquirer/core'))
  const surface = terminalSurface()
  const more = { clearPromptOnDone: true, signal }
  if (!(await answered((context) => prompt({ interaction, surface }, { ...context, ...more })))) throw stopped()
}

/** Where nobody knows how large a terminal is. */
const SIZE_UNKNOWN = { columns: 80, rows: 24 }

/** The top left corner, and nothing on the screen. */
const CLEAR_SCREEN = '\u001b[H\u001b[J'

/** The terminal of stderr. Its change of size may break lines anew in any way, so that all of them are drawn on an empty screen. */
function terminalSurface(): Surface {
  const { stderr } = process
  return {
    size: () => ({ columns: stderr.columns || SIZE_UNKNOWN.columns, rows: stderr.rows || SIZE_UNKNOWN.rows }),
    onResize(changed) {
      const listener = (): void => {
        stderr.write(CLEAR_SCREEN)
        changed()
      }
      stderr.on('resize', listener)
      return () => stderr.off('resize', listener)
    }
  }
}

/** Errors of the package for prompts that come of a key or a signal to stop. */
const STOPS = ['ExitPromptError', 'AbortPromptError']

/** Where a question is asked, since stdout is for the answer of the command, and what gives it up. */
type Place = { input: NodeJS.ReadStream; output: NodeJS.WriteStream; signal: AbortSignal }

/**
 * What is answered. Ctrl-D closes the line that is typed, which the package for prompts never answers to: the process would
 * end in the middle of its work, with exit code 0. The input stands still then, and at no other time before the answer.
 */
async function answered<Value>(ask: (place: Place) => Promise<Value>): Promise<Value> {
  const { stdin, stderr } = process
  const closed = new AbortController()
  const close = (): void => closed.abort()
  stdin.once('pause', close)
  try {
    return await ask({ input: stdin, output: stderr, signal: closed.signal })
  } catch (error) {
    if (!(error instanceof Error) || !STOPS.includes(error.name)) throw error
    throw stopped(error)
  } finally {
    stdin.off('pause', close)
  }
}

function stopped(cause?: unknown): Fault {
  return new Fault('cancelled', 'stopped at the question; nothing was changed', { cause })
}

async function progress(text: string, colors: boolean): Promise<Progress> {
  const { default: ora } = await import('ora')
  // Without a width it would clear lines without end: nobody looks at such a terminal.
  const quiet = process.stderr.columns === 0 ? { isEnabled: false, isSilent: true } : {}
  const spinner = ora({ text, stream: process.stderr, color: colors && 'cyan', discardStdin: false, ...quiet }).start()
  return {
    update: (now) => {
      spinner.text = now
    },
    stop: () => void spinner.stop()
  }
}
