import { showAbout } from '../../ask.ts'
import type { Context } from '../../context.ts'
import { makePastePrompt } from './paste-prompt.ts'

/** What somebody sees who waits, and what they may do meanwhile. */
export type WaitingSign = {
  update(text: string): void
  /** Something else to know; the waiting goes on. */
  warn(text: string): Promise<void>
  /** The next line that is pasted; never where none can be. Rejects when the person leaves. */
  pasted(): Promise<string>
  stop(): Promise<void>
}

/** A spinner; with `takesLines` also room for pasted lines. Nothing where nobody is there. */
export async function showWaiting(
  context: Context,
  { text, takesLines }: { text: string; takesLines: boolean }
): Promise<WaitingSign> {
  if (!context.person) return { update: () => undefined, warn: (line) => context.talk.warn(line), pasted: never, stop }
  return takesLines ? pastingSign(context, text) : await spinningSign(context, text)
}

function never(): Promise<never> {
  return new Promise(() => undefined)
}

async function stop(): Promise<void> {}

async function spinningSign(context: Context, text: string): Promise<WaitingSign> {
  const { terminal } = context.world
  let shown = { text, line: await terminal.progress(text) }
  return {
    update: (now) => {
      shown.text = now
      shown.line.update(now)
    },
    warn: async (line) => {
      shown.line.stop()
      await showAbout(context, [[{ text: 'warning:', look: 'note' }, ` ${line}`]])
      shown = { text: shown.text, line: await terminal.progress(shown.text) }
    },
    pasted: never,
    stop: async () => shown.line.stop()
  }
}

function pastingSign({ world }: Context, text: string): WaitingSign {
  const prompt = makePastePrompt(text)
  const left = world.terminal.interact(prompt.interaction)
  // Who leaves is noticed by whoever waits for a line.
  left.catch(() => undefined)
  return {
    update: prompt.update,
    warn: async (line) => prompt.remark(line),
    pasted: () => Promise.race([prompt.line(), left.then(never)]),
    stop: async () => {
      prompt.end()
      await left.catch(() => undefined)
    }
  }
}
