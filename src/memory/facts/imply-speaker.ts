import { verbForm } from '../language/verb-forms.ts'
import type { Clause } from './clause.ts'
import type { Sight } from './draft.ts'
import { OWN_FEELINGS } from './words/feelings.ts'

/**
 * In talk the speaker is often left out: "**Went** to Rome last week and **saw** the Forum", "**Been** there", "**Can't** wait".
 * Marks such clauses. A base form is an order or advice, and is left alone unless it tells of a feeling.
 */
export function implySpeaker({ parse, lower }: Sight): void {
  const { clauses, chunks } = parse
  const [first] = clauses
  if (first === undefined || first.subject !== undefined || !opensSentence()) return
  if (!tellsOfSpeaker(first, lower) || isSubjectItself()) return
  first.isSpeaker = true
  if (first.kind === 'adjunct' || first.kind === 'gerund') first.kind = 'main'
  for (const clause of clauses.slice(1)) {
    if (clause.subject === undefined && (clause.kind === 'coordinate' || clause.kind === 'adjunct'))
      clause.isSpeaker = true
  }

  /** "**Making bread** is fun": another verb follows, of which it may be the subject. */
  function isSubjectItself(): boolean {
    if (first?.verb.form !== 'ing' || first.verb.hasAuxiliary) return false
    const later = chunks.slice(first.at + 1)
    return first.kind === 'gerund' || later.some(({ verb }) => verb?.form === 'finite' || verb?.form === 'bare')
  }

  function opensSentence(): boolean {
    return chunks
      .slice(0, first?.at)
      .every(({ kind }) => kind === 'adverb' || kind === 'other' || kind === 'comma' || kind === 'and')
  }
}

function tellsOfSpeaker({ verb }: Clause, lower: (token: number) => string): boolean {
  const { form, opens } = verb
  if (form === 'bare' || form === 'participle') return true
  if (form === 'ing') return !NOT_OF_SPEAKER.has(verb.base)
  if (form !== 'finite') return false
  if (opens === 'gotta' || opens === 'gonna') return true
  const own = lower(verb.main)
  if (verb.hasAuxiliary)
    return (
      opens === 'ca' || opens === 'could' || opens === 'did' || opens === 'would' || opens === "'ve" || opens === 'wo'
    )
  return verbForm(own) === 'past' || OWN_FEELINGS.has(own)
}

/** "Sounding great", "Being there helps": about something else. */
const NOT_OF_SPEAKER = new Set(['sound', 'be', 'speak', 'consider', 'judge', 'seem'])
