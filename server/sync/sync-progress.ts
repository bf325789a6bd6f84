import * as z from 'zod'

const Count = z.int().min(0)

const PassState = z.strictObject({
  number: Count,
  /** When it began, in milliseconds since 1970: later changes may be missing in the pages that were read before them. */
  beganAt: Count,
  /** It began without a cursor, so it sees every item. */
  full: z.boolean(),
  /** Whether the mass-deletion guard applies to what it does not see. Not so after a change of the selection, which a person made. */
  braked: z.boolean(),
  /** Some of its pages listed sections as a whole. */
  stretches: z.boolean(),
  /** All its pages are written; the items that it did not see are still to be deleted. */
  ended: z.boolean(),
  /** Look-ups of items that it did not see: how many were made, how many runs they parked, and how many items are still unconfirmed. */
  lookUps: z.strictObject({ asked: Count, parked: Count, open: Count }).optional()
})

/** Stored as text with a connection: the names of its fields are a format. */
const SyncProgress = z.strictObject({
  v: z.literal(1),
  /** Where the next page of changes begins. */
  cursor: z.string().optional(),
  /** The current pass through changes. */
  pass: PassState.optional(),
  /** The current pass through a listing, with the cursor of its next page. */
  listing: PassState.extend({ cursor: z.string().optional() }).optional(),
  /** The number of the first pass whose deletions the mass-deletion guard holds back until a full pass confirms them. */
  heldSince: Count.optional(),
  /** When a listing ended that lacked items whose absence could not be confirmed, so that a second one is due. */
  unconfirmedAt: Count.optional(),
  /** When the last completed full pass began, in milliseconds since 1970; 0 at first. */
  fullAt: Count
})

/** A pass through changes or through a listing. */
export type PassState = z.infer<typeof PassState>

/** The state that a run leaves for the next one. */
export type SyncProgress = z.infer<typeof SyncProgress>

/** How far apart two listings have to be that agree on what is gone, in milliseconds. */
export const LISTINGS_APART_MS = 60_000

/** The progress before the first page. */
export const NO_PROGRESS: SyncProgress = { v: 1, fullAt: 0 }

/** Serializes progress as the text that `readProgress` parses. */
export function writeProgress(progress: SyncProgress): string {
  return JSON.stringify(progress)
}

/** Parses progress; undefined if another version wrote it, so that everything has to be listed again. */
export function readProgress(text: string): SyncProgress | undefined {
  try {
    return SyncProgress.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** Creates a pass without pages. */
export function newPass(begun: Pick<PassState, 'number' | 'beganAt' | 'full' | 'braked'>): PassState {
  return { ...begun, stretches: false, ended: false }
}

/** Returns the pass with the look-ups that were spent so far. */
export function setLookUps(pass: PassState, { asked, parked, open }: NonNullable<PassState['lookUps']>): PassState {
  return { ...pass, lookUps: { asked, parked, open } }
}

/** Returns the progress with the new state of a pass, through changes or through a listing. */
export function setPass(progress: SyncProgress, pass: PassState): SyncProgress {
  const { listing } = progress
  if (listing?.number !== pass.number) return { ...progress, pass }
  return { ...progress, listing: { ...listing, ...pass } }
}
