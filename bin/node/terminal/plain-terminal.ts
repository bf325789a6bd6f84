import { createInterface } from 'node:readline'
import { heedSuspension } from './surface.ts'

/** Where questions are asked on a terminal on which nothing can be drawn over; `signal` gives them up. */
export type PlainTerminal = { input: NodeJS.ReadStream; output: NodeJS.WriteStream; signal: AbortSignal }

/** A yes/no question; what is neither is no. Undefined where the input ended. */
export async function confirmPlainly(
  question: string,
  otherwise: boolean,
  place: PlainTerminal
): Promise<boolean | undefined> {
  const line = await askPlainly(`${question} (${yesOrNo(otherwise)})`, place)
  return line === undefined ? undefined : isYes(line, otherwise)
}

/** A line; undefined where the input ended. */
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

/** A line that is not shown while it is typed; undefined where the input ended, or by Ctrl-C. */
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
      // The shell has set the terminal as it likes it, of which the stream knows nothing.
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

/** What may be typed at a yes/no question, the answer of an empty line as a capital letter. */
export function yesOrNo(otherwise: boolean): string {
  return otherwise ? 'Y/n' : 'y/N'
}

/** What a line says to a yes/no question: an empty one says `otherwise`, what is neither is no. */
export function isYes(line: string, otherwise: boolean): boolean {
  return line.trim() === '' ? otherwise : /^\s*y(es)?\s*$/i.test(line)
}
