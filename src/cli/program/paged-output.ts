import { Fault } from '../../contract/faults.ts'
import type { Output, World } from '../../ports.ts'
import { splitCommandLine } from '../input/split-command-line.ts'

type PagerWorld = Pick<World, 'processes' | 'settings'> & {
  terminal: Pick<World['terminal'], 'output' | 'interrupted'>
}

/** An output that collects what is written until it is flushed. */
export type PagedOutput = Output & { flush(): Promise<void> }

/**
 * Collects output for the user's pager. `flush` shows it there if it is longer than the screen, and writes it to stdout
 * otherwise, or if the pager cannot be started or fails.
 */
export function makePagedOutput(world: PagerWorld): PagedOutput {
  const { output } = world.terminal
  let kept = ''
  return {
    isTerminal: output.isTerminal,
    columns: output.columns,
    rows: output.rows,
    colors: output.colors,
    closed: false,
    write: async (text) => {
      kept += typeof text === 'string' ? text : Buffer.from(text).toString()
    },
    flush: async () => {
      const text = kept
      kept = ''
      if (countRows(text, output) < output.rows || !(await isShown(text, world))) await output.write(text)
    }
  }
}

async function isShown(text: string, { processes, settings, terminal }: PagerWorld): Promise<boolean> {
  const [program, ...args] = splitCommandLine(settings.PAGER ?? '') ?? []
  if (program === undefined) return false
  const { interrupted } = terminal
  const shown = await processes.page([program, ...args], text, interrupted)
  if (!interrupted.aborted) return shown
  throw new Fault(interrupted.reason === 'SIGTERM' ? 'terminated' : 'cancelled', 'stopped while the pager was open')
}

/** Returns the number of screen rows that a text needs. */
function countRows(text: string, { columns }: Output): number {
  const lines = text.replace(COLOR_CODES, '').split('\n').slice(0, -1)
  return lines.reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / columns)), 0)
}

const COLOR_CODES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')
