import { AWAY, type Surface, useAway } from './surface.ts'
import { isYes, yesOrNo } from './yes-or-no.ts'

/** A question for a line that is shown or not while it is typed, or for yes or no, which is `otherwise` where nothing is typed. */
export type Question = { text: string; kind: 'line' | 'secret' } | { text: string; kind: 'confirm'; otherwise: boolean }

type Core = Pick<
  typeof import('@inquirer/core'),
  'createPrompt' | 'makeTheme' | 'useEffect' | 'useKeypress' | 'usePrefix' | 'useState'
>

/** The prompt for a question, out of the package for prompts. Its answer is what was typed; undefined where the input ended. */
export function makeQuestionPrompt(core: Core) {
  const { createPrompt, makeTheme, useEffect, useKeypress, usePrefix, useState } = core
  return createPrompt<string | undefined, { question: Question; surface: Surface }>(({ question, surface }, done) => {
    const [line, setLine] = useState('')
    const [status, setStatus] = useState<'idle' | 'done'>('idle')
    const { style } = makeTheme()
    const prefix = usePrefix({ status })
    const isAway = useAway(core, surface)
    useEffect((readline) => {
      readline.on('close', () => done(undefined))
    }, [])
    useKeypress(({ name }, readline) => {
      if (name !== 'return' && name !== 'enter') return setLine(readline.line)
      setStatus('done')
      done(line)
    })
    if (isAway) return AWAY
    const asked = `${prefix} ${style.message(question.text, status)}`
    if (status === 'done') return `${asked} ${style.answer(toldText(question, line))}`
    if (question.kind === 'confirm') return `${asked} ${style.defaultAnswer(yesOrNo(question.otherwise))} ${line}`
    return `${asked} ${question.kind === 'secret' ? style.help('[input is masked]') : line}`
  })
}

/** What stays on the terminal of an answer. */
function toldText(question: Question, line: string): string {
  if (question.kind === 'confirm') return isYes(line, question.otherwise) ? 'Yes' : 'No'
  return question.kind === 'secret' ? '' : line
}
