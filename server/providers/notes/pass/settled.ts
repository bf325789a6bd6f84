import type { PageNote } from './notebook.ts'

/** How exact `last_edited_time` is: developers.notion.com/changelog (2022-05, times of edits are rounded to the minute). */
const MINUTE_MS = 60_000
/** How far our clock and the provider's may be apart. */
const SKEW_MS = 5 * MINUTE_MS

/**
 * Whether no edit can hide behind the time of the last one: the minute that it names was over when the text was asked for. Else an edit after
 * that and within the minute would look like the one before.
 */
export function isSettled({ edited, read }: Pick<PageNote, 'edited' | 'read'>): boolean {
  return read >= Date.parse(edited) + MINUTE_MS + SKEW_MS
}
