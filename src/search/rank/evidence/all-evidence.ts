import { RANKING } from '../ranking-constants.ts'
import { aboutNames } from './about-names.ts'
import { answeredQuestion } from './answered-question.ts'
import { askedTraits } from './asked-traits.ts'
import { coveredWords } from './covered-words.ts'
import { datedThen } from './dated-then.ts'
import { nearbyTurns } from './nearby-turns.ts'
import { plainStatement } from './plain-statement.ts'
import type { Evidence } from './pool.ts'
import { tellsOfThen } from './tells-of-then.ts'

/** A piece of evidence under the name that explanations give it, and what it weighs beside the score by words. */
export type WeighedEvidence = { name: string; weight: number; valuesOf: Evidence }

/** All evidence beyond words. */
export function allEvidence(): WeighedEvidence[] {
  const { EVIDENCE } = RANKING
  return [
    { name: 'covered_words', weight: EVIDENCE.COVERED_WORDS, valuesOf: coveredWords },
    { name: 'nearby_turns', weight: EVIDENCE.NEARBY_TURNS, valuesOf: nearbyTurns },
    { name: 'answered_question', weight: EVIDENCE.ANSWERED_QUESTION, valuesOf: answeredQuestion },
    { name: 'plain_statement', weight: EVIDENCE.PLAIN_STATEMENT, valuesOf: plainStatement },
    { name: 'asked_traits', weight: EVIDENCE.ASKED_TRAITS, valuesOf: askedTraits },
    { name: 'about_names', weight: EVIDENCE.ABOUT_NAMES, valuesOf: aboutNames },
    { name: 'dated_then', weight: EVIDENCE.DATED_THEN, valuesOf: datedThen },
    { name: 'tells_of_then', weight: EVIDENCE.TELLS_OF_THEN, valuesOf: tellsOfThen }
  ].filter(({ weight }) => weight > 0)
}
