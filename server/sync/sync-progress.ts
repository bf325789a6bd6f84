import * as z from 'zod'

const Count = z.int().min(0)

const PassState = z.strictObject({
  number: Count,
  /**
   * When the pass began, in milliseconds since 1970. Later changes may be missing from the pages that were read before
   * them.
   */
  beganAt: Count,
  /** Whether the pass began without a cursor, so that it sees every item. */
  full: z.boolean(),
  /**
   * Whether the mass-deletion guard applies to the items that the pass does not see. It does not after a user changed
   * the selection.
   */
  braked: z.boolean(),
  /** Whether some of its pages listed sections as a whole. */
  stretches: z.boolean(),
  /** Whether all its pages are written, so that only the items it did not see are left to be deleted. */
  ended: z.boolean(),
  /**
   * Look-ups of items that the pass did not see: how many were made, how many runs they parked, and how many items are
   * still unconfirmed.
   */
  lookUps: z.strictObject({ asked: Count, parked: Count, open: Count }).optional()
})

/** Stored as text with a connection, so the names of its fields are part of a stored format. */
const SyncProgress = z.strictObject({
  v: z.literal(1),
  /** The cursor of the next page of changes. */
  cursor: z.string().optional(),
  /** The current pass through changes. */
  pass: PassState.optional(),
  /** The current pass through a listing, with the cursor of its next page. */
  listing: PassState.extend({ cursor: z.string().optional() }).optional(),
  /**
   * The number of the first pass whose deletions the mass-deletion guard holds back until a full pass confirms them.
   */
  heldSince: Count.optional(),
  /** When that pass ended. A full pass must begin `LISTINGS_APART_MS` later to confirm it. */
  heldAt: Count.optional(),
  /** When a listing ended that lacked items whose absence could not be confirmed. A second listing is then due. */
  unconfirmedAt: Count.optional(),
  /** When the last completed full pass began, in milliseconds since 1970; 0 at first. */
  fullAt: Count
})

/** A pass through the changes or through a listing. */
export type PassState = z.infer<typeof PassState>

/** The progress that a run leaves for the next one. */
export type SyncProgress = z.infer<typeof SyncProgress>

/** The shortest time between two listings that together prove an item gone, in milliseconds. */
export const LISTINGS_APART_MS = 60_000

/** The progress before the first page. */
export const NO_PROGRESS: SyncProgress = { v: 1, fullAt: 0 }

/** Serializes progress as the text that `readProgress` parses. */
export function writeProgress(progress: SyncProgress): string {
  return JSON.stringify(progress)
}

/** Parses progress. Returns undefined if a different version wrote it, so that everything is listed again. */
export function readProgress(text: string): SyncProgress | undefined {
  try {
    return SyncProgress.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** Creates a pass that has no pages yet. */
export function newPass(begun: Pick<PassState, 'number' | 'beganAt' | 'full' | 'braked'>): PassState {
  return { ...begun, stretches: false, ended: false }
}

/**
 * Returns `heldSince` if a full pass that begins at `beganAt` (milliseconds since 1970) may confirm the deletions that
 * the mass-deletion guard holds back. Two listings in a row may lack the same items because of the same fault.
 */
export function findConfirmable({ heldSince, heldAt = 0 }: SyncProgress, beganAt: number): number | undefined {
  return heldAt + LISTINGS_APART_MS <= beganAt ? heldSince : undefined
}

/** Returns the pass with the look-ups made so far. */
export function setLookUps(pass: PassState, { asked, parked, open }: NonNullable<PassState['lookUps']>): PassState {
  return { ...pass, lookUps: { asked, parked, open } }
}

/** Returns the progress with the new state of a pass through changes or through a listing. */
export function setPass(progress: SyncProgress, pass: PassState): SyncProgress {
  const { listing } = progress
  if (listing?.number !== pass.number) return { ...progress, pass }
  return { ...progress, listing: { ...listing, ...pass } }
}
