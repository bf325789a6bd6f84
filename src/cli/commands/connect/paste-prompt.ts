import type { Interaction, Key } from '../../../ports.ts'
import { plainLine } from '../../output/plain-text.ts'

/** A line that says what is waited for, with room below to paste an address. */
export type PastePrompt = {
  interaction: Interaction
  /** What is waited for. */
  update(text: string): void
  /** Something to know about what was pasted. */
  remark(text: string): void
  /** The next line that is pasted. */
  line(): Promise<string>
  end(): void
}

const SPINNER = ['|', '/', '-', '\\']

const LABEL = 'or paste here the address that the browser ends at: '

/** No more is kept of what is typed. In characters. */
const TYPED_MAX = 16 << 10

/** The prompt with its first text. */
export function makePastePrompt(text: string): PastePrompt {
  const lines: string[] = []
  const state = { text, remark: '', typed: '', over: false }
  let changed = (): void => undefined
  let wake = (): void => undefined
  const set = (more: Partial<typeof state>): void => {
    Object.assign(state, more)
    changed()
  }
  return {
    interaction: {
      start: (onChange) => {
        changed = onChange
      },
      draw: ({ columns }, beat) => (state.over ? undefined : drawn(state, { columns, beat })),
      press: (key) => {
        if (key.name !== 'return' && key.name !== 'enter') return set({ typed: typedAfter(state.typed, key) })
        if (state.typed !== '') lines.push(state.typed)
        set({ typed: '', remark: '' })
        wake()
      }
    },
    update: (now) => set({ text: now }),
    remark: (now) => set({ remark: plainLine(now) }),
    line: async () => {
      while (lines.length === 0)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      return lines.shift() ?? ''
    },
    end: () => set({ over: true })
  }
}

function drawn(
  { text, remark, typed }: { text: string; remark: string; typed: string },
  { columns, beat }: { columns: number; beat: number }
) {
  const room = Math.max(1, columns - 1)
  const left = Math.max(10, room - LABEL.length)
  const line = `${SPINNER[beat % SPINNER.length]} ${text}`.slice(0, room)
  const paste = `${LABEL}${typed.slice(-left)}`.slice(0, Math.max(room, left))
  return { line, below: remark === '' ? [paste] : [paste, remark.slice(0, room)], busy: true }
}

/** Addresses are of these characters only; what else is typed cannot belong to one. */
function typedAfter(typed: string, { name, text, ctrl }: Key): string {
  if (name === 'backspace') return typed.slice(0, -1)
  if (ctrl) return name === 'u' ? '' : typed
  return /^[\x21-\x7e]+$/.test(text) ? (typed + text).slice(0, TYPED_MAX) : typed
}
