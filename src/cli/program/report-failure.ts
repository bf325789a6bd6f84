import { FAULTS, Fault } from '../../contract/faults.ts'
import type { FailureLine } from '../../contract/problem.ts'
import type { Output } from '../../ports.ts'
import { drawWrapped } from '../output/draw-wrapped.ts'
import { jsonText } from '../output/json-text.ts'
import { drawLine, type StyledLine } from '../output/styled-line.ts'

export type FailureOptions = { json: boolean; debug: boolean; colors: boolean }

/** Writes an error to stderr, in JSON mode as one line, and returns its exit code. Anything but a `Fault` is a bug. */
export async function reportFailure(error: unknown, errors: Output, options: FailureOptions): Promise<number> {
  const fault = error instanceof Fault ? error : bug(error)
  if (options.json) await reportJson(fault, errors)
  else await reportLines(fault, errors, options.colors)
  if (options.debug && !options.json) await errors.write(`${drawStack(error)}\n`)
  return fault.exitCode
}

function bug(error: unknown): Fault {
  const what = error instanceof Error ? error.message : String(error)
  return new Fault('internal', `a bug in memctl: ${what}`, {
    hint: 'run the command again with --debug and report its output',
    cause: error
  })
}

async function reportJson(fault: Fault, errors: Output): Promise<void> {
  const { status, exit } = FAULTS[fault.code]
  const error: FailureLine['error'] = {
    code: fault.code,
    message: fault.message,
    hint: fault.hint ?? null,
    exit_code: exit,
    http_status: status,
    retryable: fault.retryable,
    next: [...fault.next]
  }
  await errors.write(`${jsonText({ error })}\n`)
}

async function reportLines(fault: Fault, errors: Output, colors: boolean): Promise<void> {
  const line: StyledLine = [{ text: 'error:', look: 'bad' }, ` ${shortenMiddle(fault.message)}`]
  await errors.write(await drawWrapped(line, errors, colors))
  if (fault.hint !== undefined)
    await errors.write(`${drawLine([{ text: 'hint:', look: 'note' }, ` ${shortenMiddle(fault.hint)}`], colors)}\n`)
}

/** Removes the middle of a long text, such as a path of thousands of bytes. */
function shortenMiddle(text: string): string {
  const half = LINE_CHARACTERS_MAX / 2
  return text.length <= LINE_CHARACTERS_MAX ? text : `${text.slice(0, half)} … ${text.slice(-half)}`
}

const LINE_CHARACTERS_MAX = 600

function drawStack(error: unknown): string {
  const stacks: string[] = []
  for (let at = error; at instanceof Error && stacks.length < CAUSES_MAX; at = at.cause)
    stacks.push(at.stack ?? at.message)
  return stacks
    .flatMap((stack) => stack.split('\n'))
    .map((line) => drawLine([line], false))
    .join('\n')
}

/** Maximum depth of the chain of causes that is shown. */
const CAUSES_MAX = 5
