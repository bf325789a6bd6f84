import type { IndexReader } from '../index/index-reader.ts'
import { RANKING } from './ranking-constants.ts'
import type { Loss } from './score-board.ts'

/**
 * What turns of a conversation lose that are questions themselves. A question kept on its own loses nothing: nothing
 * answers it.
 */
export function questionLoss(index: IndexReader): Loss {
  const { reach } = index.neighbours()
  const grades = index.asks().slice()
  for (let document = 0; document < grades.length; document++) if (reach[document] === 0) grades[document] = 0
  return { grades, kept: [0, 1, 2, 3].map((grade) => 1 - RANKING.ASKING_LOSS * grade) }
}
