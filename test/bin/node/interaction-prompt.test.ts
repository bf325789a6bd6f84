import * as core from '@inquirer/core'
import { render } from '@inquirer/testing'
import { expect, test } from 'vitest'
import { makeInteractionPrompt } from '../../../bin/node/terminal/make-interaction-prompt.ts'
import type { Display, Surface } from '../../../bin/node/terminal/surface.ts'

import type { Interaction, Key } from '../../../src/ports.ts'

const prompt = makeInteractionPrompt(core)

/** Creates an interaction that shows its keys and ends at the letter q. */
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

test('passes keys with their names and texts', async () => {
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

test('redraws after a change without a key, and after a change of size', async () => {
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

test('draws nothing after the end', async () => {
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

test('ends with its input', async () => {
  const { config } = keyLog()
  const { answer, input } = await render(prompt, config)
  input.write('\u0004')
  expect(await answer).toBe(false)
})

test('rejects on Ctrl-C and on a signal to stop', async () => {
  const interrupted = await render(prompt, keyLog().config)
  interrupted.input.write('\u0003')
  await expect(interrupted.answer).rejects.toMatchObject({ name: 'ExitPromptError' })
  const stop = new AbortController()
  const stopped = await render(prompt, keyLog().config, { signal: stop.signal })
  stop.abort()
  await expect(stopped.answer).rejects.toMatchObject({ name: 'AbortPromptError' })
})

test('leaves the screen during a suspension by Ctrl-Z, and accepts keys afterwards', async () => {
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

test('leaves nothing on the screen while hidden', async () => {
  const { display, config } = keyLog()
  const { answer, input, getScreen, getFullOutput } = await render(prompt, config)
  display()?.leave()
  expect((await getFullOutput()).trim()).toBe('')
  display()?.comeBack(true)
  expect(getScreen()).toContain('40 wide')
  input.write('q')
  await answer
})
