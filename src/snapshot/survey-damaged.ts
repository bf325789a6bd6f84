import { Fault } from '../contract/faults.ts'
import type { Source } from './source.ts'
import { type Survey, surveySnapshot } from './survey.ts'

/** Reads on where the header is damaged too, unless nothing at all is sound: then the file is something else. */
export function surveyDamaged(source: Source): Survey {
  try {
    return surveySnapshot(source)
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'not_a_snapshot') throw error
    const survey = surveySnapshot(source, { form: 'jsonl', offset: 0, number: 1 })
    if (survey.table.rows === 0) throw error
    return survey
  }
}
