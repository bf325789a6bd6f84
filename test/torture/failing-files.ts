import type { Files, SystemError } from '../../src/ports.ts'

/** Calls are counted from 1; the one called `failing` is refused. */
export type Failing = { failing: number; code: string }

/** Files of which one call fails, and the name of the call that did. */
export function failingFiles(files: Files, { failing, code }: Failing): { files: Files; last(): string } {
  let calls = 0
  let refused = ''
  const wrapped = Object.fromEntries(
    Object.entries(files).map(([name, call]) => {
      const counted = (...args: unknown[]): unknown => {
        calls++
        if (calls !== failing) return (call as (...args: unknown[]) => unknown)(...args)
        refused = name
        // A refused close has closed all the same.
        if (name === 'close') (call as (...args: unknown[]) => unknown)(...args)
        throw systemError(code, name)
      }
      return [name, counted]
    })
  ) as Files
  return { files: wrapped, last: () => refused }
}

function systemError(code: string, syscall: string): SystemError {
  return Object.assign(new Error(`${code}: ${syscall}`), { code, syscall })
}
