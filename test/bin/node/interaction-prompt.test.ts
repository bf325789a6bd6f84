import * as core from '@inquirer/core'
import { render } from '@inquirer/testing'
import { expect, test } from 'vitest'
import { makeInteractionPrompt } from '../../../bin/node/terminal/make-interaction-prompt.ts'
import type { Display, Surface } from '../../../bin/node/terminal/surface.ts'

import type { Interaction, Key } from '../../../src/ports.ts'

const prompt = makeInteractionPrompt(core)

/** An interaction that shows the keys it got, and is over at the letter q. */
function keyLog() {
  const keys: Key[] = []
  let change = (): void => undefined
  let resize = (): void => undefined
  const size = { columns: 40, rows: 10 }
  const interaction: Interaction = {
    start: (onChange) => {
      change = onChange
    },
    press: (key) => void keys.push(key),
    draw: ({ columns }, beat) => {
      if (keys.at(-1)?.text === 'q') return undefined
      const names = keys.map(({ name }) => name)
      return { line: `${columns} wide`, below: [`keys: ${names.join(' ')}`, `moved: ${beat > 0}`], busy: false }
    }
  }
  let display: Display | undefined
  const suspended: string[] = []
  const surface: Surface = {
    size: () => ({ ...size }),
    onSuspension: (now) => {
      display = now
      const suspend = () => {
        now.leave()
        suspended.push('suspended')
        now.comeBack(true)
      }
      return { suspend, forget: () => suspended.push('forgotten') }
    },
    onResize: (changed: () => void) => {
      resize = changed
      return () => {
        resize = () => undefined
      }
    }
  }
  const config = { interaction, surface }
  return { keys, size, suspended, display: () => display, change: () => change(), resize: () => resize(), config }
}

test('keys arrive with their names and with what they type', async () => {
  const { keys, config } = keyLog()
  const { answer, input, getScreen } = await render(prompt, config)
  for (const bytes of ['\u001b[B', ' ', 'é', '漢', '\u0015', '\u007f', '\u001bx', '\r']) input.write(bytes)
  expect(keys).toEqual([
    { name: 'down', text: '', ctrl: false },
    { name: 'space', text: ' ', ctrl: false },
    { name: 'é', text: 'é', ctrl: false },
    { name: '漢', text: '漢', ctrl: false },
    { name: 'u', text: '', ctrl: true },
    { name: 'backspace', text: '', ctrl: false },
    { name: 'x', text: '', ctrl: false },
    { name: 'return', text: '', ctrl: false }
  ])
  expect(getScreen()).toContain('keys: down space é 漢 u backspace x return')
  input.write('q')
  expect(await answer).toBe(true)
})

test('a change without a key, and one of the size, is drawn', async () => {
  const { size, change, resize, config } = keyLog()
  const { answer, input, getScreen, nextRender } = await render(prompt, config)
  expect(getScreen()).toContain('40 wide')
  change()
  await nextRender()
  expect(getScreen()).toContain('moved: true')
  size.columns = 30
  resize()
  await nextRender()
  expect(getScreen()).toContain('30 wide')
  input.write('q')
  await answer
})

test('when it is over nothing is drawn any more', async () => {
  const { change, resize, config } = keyLog()
  const { answer, input, getFullOutput } = await render(prompt, config, { clearPromptOnDone: true })
  input.write('q')
  await answer
  const drawn = await getFullOutput({ raw: true })
  change()
  resize()
  expect(await getFullOutput({ raw: true })).toBe(drawn)
  expect((await getFullOutput()).trim()).toBe('')
})

test('an input that ends before the interaction ends it too', async () => {
  const { config } = keyLog()
  const { answer, input } = await render(prompt, config)
  input.write('\u0004')
  expect(await answer).toBe(false)
})

test('Ctrl-C and a signal to stop reject', async () => {
  const interrupted = await render(prompt, keyLog().config)
  interrupted.input.write('\u0003')
  await expect(interrupted.answer).rejects.toMatchObject({ name: 'ExitPromptError' })
  const stop = new AbortController()
  const stopped = await render(prompt, keyLog().config, { signal: stop.signal })
  stop.abort()
  await expect(stopped.answer).rejects.toMatchObject({ name: 'AbortPromptError' })
})

test('Ctrl-Z takes it off the screen while the process is suspended, and it heeds keys after that', async () => {
  const { keys, suspended, config } = keyLog()
  const { answer, input, getScreen } = await render(prompt, config)
  input.write('\u001a')
  expect(suspended).toEqual(['suspended'])
  expect(getScreen()).toContain('40 wide')
  input.write('a')
  expect(keys.at(-1)).toEqual({ name: 'a', text: 'a', ctrl: false })
  input.write('q')
  expect(await answer).toBe(true)
  expect(suspended).toEqual(['suspended', 'forgotten'])
})

test('nothing of it is on the screen while it is away', async () => {
  const { display, config } = keyLog()
  const { answer, input, getScreen, getFullOutput } = await render(prompt, config)
  display()?.leave()
  expect((await getFullOutput()).trim()).toBe('')
  display()?.comeBack(true)
  expect(getScreen()).toContain('40 wide')
  input.write('q')
  await answer
})
