import type { Files, SystemError } from '../../src/ports.ts'

/** Calls are counted from 1; the one with the number `failing` is refused. */
export type Failing = { failing: number; code: string }

/** Wraps files so that one call fails, and returns the name of that call. */
export function failingFiles(files: Files, { failing, code }: Failing): { files: Files; last(): string } {
  let calls = 0
  let refused = ''
  const wrapped = Object.fromEntries(
    Object.entries(files).map(([name, call]) => {
      const counted = (...args: unknown[]): unknown => {
        calls++
        if (calls !== failing) return (call as (...args: unknown[]) => unknown)(...args)
        refused = name
        // A failed close still closes.
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
