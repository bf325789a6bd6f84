import type { Output } from '../../ports.ts'
import { drawWrapped } from './draw-wrapped.ts'
import { drawLine, type StyledLine } from './styled-line.ts'

/**
 * Messages on stderr. JSON mode delays them until the command succeeds, so that a failure writes only its one line
 * to stderr.
 */
export type Diagnostics = {
  /** Writes a piece of information. */
  note(text: string): Promise<void>
  /** Writes a warning. */
  warn(text: string): Promise<void>
  /** Suggests a command or action. */
  hint(text: string): Promise<void>
  /** Writes a detail with `--verbose` only. */
  detail(text: string): Promise<void>
  /** Shows lists and questions to a person; writes nothing in JSON mode. */
  show(lines: readonly StyledLine[]): Promise<void>
  /** Writes the delayed messages. */
  flush(): Promise<void>
  /** Discards the delayed messages. */
  drop(): void
}

export type DiagnosticsOptions = { held: boolean; verbose: boolean; colors: boolean }

/** Returns the diagnostics of one run, which write to `errors`. */
export function makeDiagnostics(errors: Output, options: DiagnosticsOptions): Diagnostics {
  let held: StyledLine[] = []

  /** Writes a line without wrapping, because it may contain a command to copy. */
  async function say(line: StyledLine): Promise<void> {
    if (options.held) held.push(line)
    else await errors.write(`${drawLine(line, options.colors)}\n`)
  }

  /** Writes a line wrapped, because it may contain names and errors of other programs. */
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
