import { addAbortSignal } from 'node:stream'
import { isatty } from 'node:tty'
import { Fault } from '../../src/contract/faults.ts'
import type { Environment, Output, Progress, SystemError, Terminal } from '../../src/ports.ts'
import { nodeInterruption } from './interruption.ts'
import { nodeOutput } from './output.ts'

/** The standard streams of this process, each opened when it is first used. */
export function nodeTerminal(environment: Environment): Terminal {
  let output: Output | undefined
  let errors: Output | undefined
  let interrupted: AbortSignal | undefined
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
    get interrupted() {
      interrupted ??= nodeInterruption()
      return interrupted
    },
    confirm,
    askLine,
    askSecret,
    progress
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

async function confirm(question: string, otherwise: boolean): Promise<boolean> {
  const { confirm: ask } = await import('@inquirer/prompts')
  return await answered(ask({ message: question, default: otherwise }, streams()))
}

async function askLine(question: string): Promise<string> {
  const { input: ask } = await import('@inquirer/prompts')
  return await answered(ask({ message: question }, streams()))
}

async function askSecret(question: string): Promise<string> {
  const { password: ask } = await import('@inquirer/prompts')
  return await answered(ask({ message: question, mask: false }, streams()))
}

/** Where questions are asked: stdout is for the answer of the command. */
const streams = () => ({ input: process.stdin, output: process.stderr })

async function answered<Value>(answer: Promise<Value>): Promise<Value> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ExitPromptError') throw error
    throw new Fault('cancelled', 'stopped at the question; nothing was changed', { cause: error })
  }
}

async function progress(text: string): Promise<Progress> {
  const { default: ora } = await import('ora')
  const spinner = ora({ text, stream: process.stderr, discardStdin: false }).start()
  return {
    update: (now) => {
      spinner.text = now
    },
    stop: () => void spinner.stop()
  }
}
