import type { ChildProcess } from 'node:child_process'
import type { Browser, Environment, SystemError } from '../../src/ports.ts'

/** Opens the browser of the desktop that this process belongs to. */
export function nodeBrowser(environment: Environment): Browser {
  return {
    async open(address) {
      if (isWithoutScreen(environment)) return 'no display is available (DISPLAY is not set)'
      try {
        const { default: open } = await import('open')
        return await awaitEnd(await open(address))
      } catch (error) {
        const { code } = error as SystemError
        return code === 'ENOENT' ? 'no program that opens a browser was found' : `system error ${code ?? error}`
      }
    }
  }
}

/** Detects a missing display. On Linux the opener would otherwise start a terminal browser that waits invisibly. */
function isWithoutScreen({ DISPLAY, WAYLAND_DISPLAY, BROWSER, WSL_DISTRO_NAME }: Environment): boolean {
  return process.platform === 'linux' && !DISPLAY && !WAYLAND_DISPLAY && !BROWSER && !WSL_DISTRO_NAME
}

/** Awaits the end of the opener. The package unreferences the child, so this process may end first. */
function awaitEnd(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    const settle = (code: number | null): void =>
      resolve(code ? `the program that opens it exited with ${code}` : undefined)
    if (child.exitCode !== null || child.signalCode !== null) return settle(child.exitCode)
    child.once('error', ({ message }) => resolve(message))
    child.once('exit', settle)
  })
}
