import { createInterface } from 'node:readline'

/** Where questions are asked on a terminal on which nothing can be drawn over; `signal` gives them up. */
export type PlainPlace = { input: NodeJS.ReadStream; output: NodeJS.WriteStream; signal: AbortSignal }

/** A yes/no question; what is neither is no. Undefined where the input ended. */
export async function confirmPlainly(
  question: string,
  otherwise: boolean,
  place: PlainPlace
): Promise<boolean | undefined> {
  const line = await askPlainly(`${question} (${otherwise ? 'Y/n' : 'y/N'})`, place)
  if (line === undefined) return undefined
  return line.trim() === '' ? otherwise : /^\s*y(es)?\s*$/i.test(line)
}

/** A line; undefined where the input ended. */
export async function askPlainly(question: string, { input, output, signal }: PlainPlace): Promise<string | undefined> {
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

const CTRL_C = '\u0003'
const CTRL_D = '\u0004'
const ERASE = ['\u0008', '\u007f']

/** A line that is not shown while it is typed; undefined where the input ended, or by Ctrl-C. */
export async function askSecretPlainly(
  question: string,
  { input, output, signal }: PlainPlace
): Promise<string | undefined> {
  output.write(`${question} `)
  input.setRawMode(true)
  input.setEncoding('utf8')
  const left = new AbortController()
  try {
    return await new Promise<string | undefined>((resolve) => {
      const stops = { signal: left.signal, once: true }
      signal.addEventListener('abort', () => resolve(undefined), stops)
      let typed = ''
      input.on('data', (text: string) => {
        for (const letter of text) {
          if (letter === CTRL_C || letter === CTRL_D) resolve(undefined)
          else if (letter === '\r' || letter === '\n') resolve(typed)
          else typed = ERASE.includes(letter) ? typed.slice(0, -1) : typed + letter
        }
      })
    })
  } finally {
    left.abort()
    input.removeAllListeners('data')
    input.setRawMode(false)
    input.pause()
    output.write('\n')
  }
}
