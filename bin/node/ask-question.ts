import { heedSuspension } from './suspension.ts'

/** Where a question is asked, since stdout is for the answer of the command, and what gives it up. */
export type Place = { input: NodeJS.ReadStream; output: NodeJS.WriteStream; signal: AbortSignal }

/** Starts a line of its own and shows the cursor, which the shell needs while the process is suspended. */
const LEAVE_LINE = '\u001b[?25h\n'

/**
 * Asks by a prompt of the package for prompts, and once more after each suspension by Ctrl-Z: the package's own line takes no key
 * after that. What was typed before it is gone.
 *
 * @throws AbortPromptError of the package where the signal or the end of the input (Ctrl-D) gives the question up,
 * ExitPromptError at Ctrl-C.
 */
export async function askQuestion<Value>(prompt: (place: Place) => Promise<Value>, place: Place): Promise<Value> {
  const { input, output, signal } = place
  for (;;) {
    let isSuspended = false
    const over = new AbortController()
    // The package pauses its input when it has ended, and waits without end for an answer.
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
