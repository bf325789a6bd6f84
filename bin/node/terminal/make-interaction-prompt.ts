import type { Interaction, Key } from '../../../src/ports.ts'
import { AWAY, type Surface, useAway } from './surface.ts'

/** Milliseconds between two frames of an animation. */
const BEAT_MS = 80

/**
 * Creates the prompt that shows an interaction, on top of the prompt package. It returns false if the input ended
 * before the interaction did.
 */
export function makeInteractionPrompt(core: Core) {
  const { createPrompt, useEffect, useKeypress, useRef, useState } = core
  return createPrompt<boolean, { interaction: Interaction; surface: Surface }>(({ interaction, surface }, done) => {
    const [beat, setBeat] = useState(0)
    const busy = useRef(true)
    const next = (): void => setBeat((before) => before + 1)
    const isAway = useAway(core, surface)
    useEffect((readline) => {
      let live = true
      const redraw = (): void => {
        if (live) next()
      }
      interaction.start(redraw)
      const stopListening = surface.onResize(redraw)
      const timer = setInterval(() => {
        if (busy.current) redraw()
      }, BEAT_MS)
      readline.on('close', () => done(false))
      return () => {
        live = false
        clearInterval(timer)
        stopListening()
      }
    }, [])
    useKeypress((event, readline) => {
      // The interaction stores typed text; the package's own line would move the cursor.
      readline.clearLine(0)
      interaction.press(toKey(event), surface.size())
      next()
    })
    if (isAway) return AWAY
    const drawn = interaction.draw(surface.size(), beat)
    busy.current = drawn?.busy === true
    if (drawn !== undefined) return [drawn.line, drawn.below.join('\n')]
    done(true)
    return ''
  })
}

type Core = Pick<typeof import('@inquirer/core'), 'createPrompt' | 'useEffect' | 'useKeypress' | 'useRef' | 'useState'>

/** Members of Node's key events beyond those that the prompt package declares. */
type KeyEvent = { name?: string; ctrl?: boolean; meta?: boolean; sequence?: string }

function toKey({ name = '', ctrl = false, meta = false, sequence = '' }: KeyEvent): Key {
  const types = !ctrl && !meta && !/^\p{Cc}/u.test(sequence)
  return { name: name === '' ? sequence : name, text: types ? sequence : '', ctrl }
}
