import type { Output } from '../../ports.ts'
import { drawWrapped } from './draw-wrapped.ts'
import { drawLine, type StyledLine } from './styled-line.ts'

/**
 * What is said beside the answer, on stderr. In JSON mode it is held back, so that a failure leaves its one line there
 * and nothing else; after success it is said.
 */
export type Diagnostics = {
  /** Something worth knowing. */
  note(text: string): Promise<void>
  /** Something a person should look at. */
  warn(text: string): Promise<void>
  /** A command or deed that helps from here. */
  hint(text: string): Promise<void>
  /** Only with `--verbose`. */
  detail(text: string): Promise<void>
  /** For a person only, and never in JSON mode: lists and questions. */
  show(lines: readonly StyledLine[]): Promise<void>
  /** Says what was held back. */
  flush(): Promise<void>
  /** Forgets what was held back. */
  drop(): void
}

export type DiagnosticsOptions = { held: boolean; verbose: boolean; colors: boolean }

/** The diagnostics of one run on its stderr. */
export function makeDiagnostics(errors: Output, options: DiagnosticsOptions): Diagnostics {
  let held: StyledLine[] = []

  /** Not wrapped: what is written so is our own, and may be a command to copy. */
  async function say(line: StyledLine): Promise<void> {
    if (options.held) held.push(line)
    else await errors.write(`${drawLine(line, options.colors)}\n`)
  }

  /** Wrapped, since names and errors from elsewhere may stand in it. */
  async function sayWrapped(line: StyledLine): Promise<void> {
    if (options.held) held.push(line)
    else await errors.write(await drawWrapped(line, errors, options.colors))
  }

  return {
    note: (text) => say([text]),
    warn: (text) => sayWrapped([{ text: 'warning:', look: 'note' }, ` ${text}`]),
    hint: (text) => say([{ text: 'hint:', look: 'note' }, ` ${text}`]),
    detail: async (text) => {
      if (options.verbose) await say([{ text, look: 'dim' }])
    },
    show: async (lines) => {
      if (!options.held) for (const line of lines) await sayWrapped(line)
    },
    flush: async () => {
      for (const line of held) await errors.write(`${drawLine(line, options.colors)}\n`)
      held = []
    },
    drop: () => {
      held = []
    }
  }
}
