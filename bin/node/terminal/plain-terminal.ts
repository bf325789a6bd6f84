import { createInterface } from 'node:readline'
import { heedSuspension } from './surface.ts'

/** The streams of questions on a terminal that cannot redraw lines. `signal` cancels them. */
export type PlainTerminal = { input: NodeJS.ReadStream; output: NodeJS.WriteStream; signal: AbortSignal }

/** Asks a yes/no question. Any other answer means no. Returns undefined if the input ended. */
export async function confirmPlainly(
  question: string,
  otherwise: boolean,
  place: PlainTerminal
): Promise<boolean | undefined> {
  const line = await askPlainly(`${question} (${yesOrNo(otherwise)})`, place)
  return line === undefined ? undefined : isYes(line, otherwise)
}

/** Asks for a line. Returns undefined if the input ended. */
export async function askPlainly(
  question: string,
  { input, output, signal }: PlainTerminal
): Promise<string | undefined> {
  const lines = createInterface({ input, output, terminal: false })
  try {
    return await new Promise<string | undefined>((resolve) => {
      lines.once('close', () => resolve(undefined))
      signal.addEventListener('abort', () => resolve(undefined), { once: true })
      lines.question(`${question} `, resolve)
    })
  } finally {
    lines.close()
  }
}

const CTRL_Z = '\u001a'
const STOPS = ['\u0003', '\u0004']
const ENDS = ['\r', '\n']
const ERASES = ['\u0008', '\u007f']

/** Asks for a line without echo. Returns undefined if the input ended, or at Ctrl-C. */
export async function askSecretPlainly(
  question: string,
  { input, output, signal }: PlainTerminal
): Promise<string | undefined> {
  input.setRawMode(true)
  input.setEncoding('utf8')
  const left = new AbortController()
  const suspension = heedSuspension({
    leave: () => input.setRawMode(false),
    comeBack() {
      // The shell has changed the terminal's mode, and the stream does not know.
      input.setRawMode(false)
      input.setRawMode(true)
      output.write(`\r${question} `)
    }
  })
  output.write(`${question} `)
  try {
    return await new Promise<string | undefined>((resolve) => {
      const stops = { signal: left.signal, once: true }
      signal.addEventListener('abort', () => resolve(undefined), stops)
      let typed = ''
      const take = (letter: string): void => {
        if (letter === CTRL_Z) suspension.suspend()
        else if (STOPS.includes(letter)) resolve(undefined)
        else if (ENDS.includes(letter)) resolve(typed)
        else typed = ERASES.includes(letter) ? typed.slice(0, -1) : typed + letter
      }
      input.on('data', (text: string) => [...text].forEach(take))
    })
  } finally {
    left.abort()
    suspension.forget()
    input.removeAllListeners('data')
    input.setRawMode(false)
    input.pause()
    output.write('\n')
  }
}

/** Returns the choices of a yes/no question, with the default in upper case. */
export function yesOrNo(otherwise: boolean): string {
  return otherwise ? 'Y/n' : 'y/N'
}

/** Interprets the answer to a yes/no question. An empty line means `otherwise`, and anything unknown means no. */
export function isYes(line: string, otherwise: boolean): boolean {
  return line.trim() === '' ? otherwise : /^\s*y(es)?\s*$/i.test(line)
}
