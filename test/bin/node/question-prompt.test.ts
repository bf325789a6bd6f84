import * as core from '@inquirer/core'
import { render } from '@inquirer/testing'
import { expect, test } from 'vitest'
import { makeQuestionPrompt, type Question } from '../../../bin/node/question-prompt.ts'
import type { Surface } from '../../../bin/node/surface.ts'

const prompt = makeQuestionPrompt(core)

/** A surface that comes back at once from each suspension. */
const surface: Surface = {
  size: () => ({ columns: 80, rows: 24 }),
  onResize: () => () => undefined,
  onSuspension: ({ leave, comeBack }) => ({
    suspend() {
      leave()
      comeBack(true)
    },
    forget: () => undefined
  })
}

const ask = (question: Question) => render(prompt, { question, surface })

test.each([
  ['y\r', false, 'y', 'Yes'],
  ['\r', true, '', 'Yes'],
  ['\r', false, '', 'No'],
  ['yex\u007fs\r', false, 'yes', 'Yes'],
  ['perhaps\r', true, 'perhaps', 'No']
])('%j at a yes/no question that is %s by default', async (...[typed, otherwise, line, told]) => {
  const { answer, input, getScreen } = await ask({ kind: 'confirm', text: 'End it?', otherwise })
  expect(getScreen()).toContain(`End it? (${otherwise ? 'Y/n' : 'y/N'})`)
  input.write(typed)
  expect(await answer).toBe(line)
  expect(getScreen()).toContain(`End it? ${told}`)
})

test('a line can be mended with the cursor before it is sent', async () => {
  const { answer, input, getScreen } = await ask({ kind: 'line', text: 'The address:' })
  input.write('htp\u001b[Dt')
  expect(getScreen()).toContain('The address: http')
  input.write('\r')
  expect(await answer).toBe('http')
})

test('a secret is never on the screen', async () => {
  const { answer, input, getFullOutput } = await ask({ kind: 'secret', text: 'The key:' })
  input.write('mk_x\r')
  expect(await answer).toBe('mk_x')
  expect(await getFullOutput()).not.toContain('mk_x')
})

test('what was typed before Ctrl-Z is there after it', async () => {
  const { answer, input, getScreen } = await ask({ kind: 'line', text: 'The address:' })
  input.write('ht\u001a')
  expect(getScreen()).toContain('The address: ht')
  input.write('tp\r')
  expect(await answer).toBe('http')
})

test('an input that ends is no answer', async () => {
  const { answer, input } = await ask({ kind: 'line', text: 'The address:' })
  input.write('\u0004')
  expect(await answer).toBeUndefined()
})
