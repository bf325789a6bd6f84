import type { ForgetReport } from '../../device/types.ts'
import type { ObjectView } from '../output/answer.ts'
import { cardLines, textLines } from '../output/card.ts'
import type { Line, Page } from '../output/line.ts'

/** What was forgotten, and where its text still is. */
export function forgetView(report: ForgetReport): ObjectView {
  return {
    lines: (page) => forgetLines(report, page),
    rows: () => [...report.forgotten.map((id) => [id, 'forgotten']), ...report.already.map((id) => [id, 'already'])]
  }
}

function forgetLines({ forgotten, already, remains }: ForgetReport, page: Page): Line[] {
  const ids = cardLines(
    [
      ...forgotten.map((id): [string, string] => ['forgotten', id]),
      ...already.map((id): [string, string] => ['forgotten already', id])
    ],
    page
  )
  return [...ids, ...remains.flatMap((place) => textLines(place, page))]
}
