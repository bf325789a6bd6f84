import { createHash } from 'node:crypto'
import { fstatSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { addAbortSignal } from 'node:stream'
import { isatty } from 'node:tty'
import { Fault } from '../../../src/contract/faults.ts'
import type { Environment, Interaction, Output, Progress, SystemError, Terminal } from '../../../src/ports.ts'
import { makeInteractionPrompt } from './make-interaction-prompt.ts'
import { nodeOutput } from './node-output.ts'
import type { PlainTerminal } from './plain-terminal.ts'
import { heedSuspension, terminalSurface } from './surface.ts'

/** Creates the standard streams of this process, each opened on first use. */
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
    get session() {
      return identifySession()
    },
    get interrupted() {
      interrupted ??= nodeInterruption()
      return interrupted
    },
    ...(drawsOver ? drawQuestions : plainQuestions)(() => terminal.interrupted),
    interact: (interaction) => interact(interaction, terminal.interrupted),
    progress: (text) => progress(text, terminal.errors.colors)
  }
  return terminal
}

/**
 * Identifies the terminal by its device number, and the session by its leader and the start time of that process. On
 * Linux from fields 6, 7 and 22 of /proc/PID/stat (proc(5)). On other systems the parent process stands for the leader.
 */
function identifySession(): string | undefined {
  const terminal = [0, 2, 1].find((fd) => isatty(fd))
  if (terminal === undefined) return undefined
  try {
    const device = fstatSync(terminal).rdev
    const leader = readStatFields('self')?.[3] ?? String(process.ppid)
    const session = [hostname(), device, leader, readStatFields(leader)?.[19] ?? '']
    return createHash('sha256').update(session.join(' ')).digest('hex').slice(0, 32)
  } catch {
    return undefined
  }
}

/** Reads the fields of /proc/PID/stat from the third one on: the second one may contain spaces and brackets. */
function readStatFields(pid: string): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ')
  } catch {
    return undefined
  }
}

/** Reads stdin. An interruption ends it with an AbortError. */
async function* readInput(interrupted: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of addAbortSignal(interrupted, process.stdin)) yield chunk
  } catch (error) {
    if (interrupted.aborted) throw error
    throw new Fault('system_refused', `stdin: system error ${(error as SystemError).code}`, { cause: error })
  }
}

type Questions = Pick<Terminal, 'confirm' | 'askLine' | 'askSecret'>

/** Creates questions that are drawn with the prompt package, which is loaded at the first one. */
function drawQuestions(interrupted: () => AbortSignal): Questions {
  const ask = <Value>(prompt: (prompts: Prompts, place: Place) => Promise<Value>): Promise<Value> =>
    awaitAnswer(async (place) => {
      const prompts = await import('@inquirer/prompts')
      return await askQuestion((now) => prompt(prompts, now), place)
    }, interrupted())
  return {
    confirm: (message, otherwise) => ask(({ confirm }, place) => confirm({ message, default: otherwise }, place)),
    askLine: (message) => ask(({ input }, place) => input({ message }, place)),
    askSecret: (message) => ask(({ password }, place) => password({ message, toggleMask: false }, place))
  }
}

type Prompts = Pick<typeof import('@inquirer/prompts'), 'confirm' | 'input' | 'password'>

/** Creates questions for a terminal that cannot redraw lines. */
function plainQuestions(interrupted: () => AbortSignal): Questions {
  const plainly = async <Value>(ask: (plain: Plain, place: PlainTerminal) => Promise<Value | undefined>) => {
    const { stdin: input, stderr: output } = process
    const answer = await ask(await import('./plain-terminal.ts'), { input, output, signal: interrupted() })
    if (answer === undefined) throw makeStopFault()
    return answer
  }
  return {
    confirm: (question, otherwise) => plainly((plain, place) => plain.confirmPlainly(question, otherwise, place)),
    askLine: (question) => plainly((plain, place) => plain.askPlainly(question, place)),
    askSecret: (question) => plainly((plain, place) => plain.askSecretPlainly(question, place))
  }
}

type Plain = typeof import('./plain-terminal.ts')

async function interact(interaction: Interaction, signal: AbortSignal): Promise<void> {
  const prompt = makeInteractionPrompt(await import('@inquirer/core'))
  const isOver = await awaitAnswer(
    (place) => prompt({ interaction, surface: makeSurface(place) }, { ...place, clearPromptOnDone: true }),
    signal
  )
  if (!isOver) throw makeStopFault()
}

/** Errors of the prompt package that are caused by a key or a signal to stop. */
const STOPS = ['ExitPromptError', 'AbortPromptError']

function makeSurface({ input, output }: Place) {
  return terminalSurface(input, output)
}

/** Awaits an answer. A key or a signal to stop causes a fault. */
async function awaitAnswer<Value>(ask: (place: Place) => Promise<Value>, signal: AbortSignal): Promise<Value> {
  try {
    return await ask({ input: process.stdin, output: process.stderr, signal })
  } catch (error) {
    if (!(error instanceof Error) || !STOPS.includes(error.name)) throw error
    throw makeStopFault(error)
  }
}

function makeStopFault(cause?: unknown): Fault {
  return new Fault('cancelled', 'cancelled at the prompt; nothing was changed', { cause })
}

async function progress(text: string, colors: boolean): Promise<Progress> {
  const { default: ora } = await import('ora')
  // Without a width it would clear lines forever. Such a terminal is not visible.
  const quiet = process.stderr.columns === 0 ? { isEnabled: false, isSilent: true } : {}
  const spinner = ora({ text, stream: process.stderr, color: colors && 'cyan', discardStdin: false, ...quiet }).start()
  // It hides the terminal's cursor, which the shell needs.
  const suspension = heedSuspension({
    leave: () => void spinner.stop(),
    comeBack: () => void (spinner.isEnabled && spinner.start())
  })
  return {
    update: (now) => {
      spinner.text = now
    },
    stop() {
      suspension.forget()
      spinner.stop()
    }
  }
}

/**
 * The streams of a question, which avoids stdout because it is for the command's output, and the signal that cancels
 * it.
 */
type Place = { input: NodeJS.ReadStream; output: NodeJS.WriteStream; signal: AbortSignal }

/** Starts a new line and shows the cursor, which the shell needs while the process is suspended. */
const LEAVE_LINE = '\u001b[?25h\n'

/**
 * Asks with a prompt of the package, and again after each suspension by Ctrl-Z, because the package's line accepts no
 * keys after that. Text typed before is lost.
 *
 * @throws AbortPromptError of the package if the signal or the end of the input (Ctrl-D) cancels the question,
 * ExitPromptError at Ctrl-C.
 */
async function askQuestion<Value>(prompt: (place: Place) => Promise<Value>, place: Place): Promise<Value> {
  const { input, output, signal } = place
  for (;;) {
    let isSuspended = false
    const over = new AbortController()
    // At the end of the input, the package pauses it and would wait for an answer forever.
    const end = (): void => over.abort()
    input.once('pause', end)
    const suspension = heedSuspension({
      leave() {
        output.write(LEAVE_LINE)
        input.setRawMode(false)
      },
      comeBack() {
        isSuspended = true
        over.abort()
      }
    })
    try {
      return await prompt({ ...place, signal: AbortSignal.any([signal, over.signal]) })
    } catch (error) {
      if (!isSuspended || signal.aborted) throw error
    } finally {
      input.off('pause', end)
      suspension.forget()
    }
  }
}

/**
 * Returns a signal that SIGINT or SIGTERM aborts, with its name as reason. After that, SIGINT ends the process
 * immediately, as without a listener, because a person who presses Ctrl-C again has waited enough. A second SIGTERM has
 * no effect.
 */
function nodeInterruption(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, stop)
  return controller.signal

  function stop(name: 'SIGINT' | 'SIGTERM'): void {
    if (!controller.signal.aborted) {
      controller.abort(name)
      return
    }
    if (name === 'SIGTERM') return
    process.removeAllListeners(name)
    process.kill(process.pid, name)
  }
}
