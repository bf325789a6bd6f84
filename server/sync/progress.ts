import * as z from 'zod'

const Count = z.int().min(0)

const PassState = z.strictObject({
  number: Count,
  /** When it began, in milliseconds since 1970: what happened later may have been missed where it had been already. */
  beganAt: Count,
  /** It began without a cursor, so it comes across everything there is. */
  full: z.boolean(),
  /** Whether the brake holds back what it does not see. Not so after a change of the selection: that was a person's choice. */
  braked: z.boolean(),
  /** Some of its pages listed stretches as a whole. */
  stretches: z.boolean(),
  /** All its pages are written; what it did not see is still to be taken out. */
  ended: z.boolean(),
  /** Look-ups of what it did not see: how many were made, how many runs they parked, and how many items are still unconfirmed. */
  lookUps: z.strictObject({ asked: Count, parked: Count, open: Count }).optional()
})

const Progress = z.strictObject({
  v: z.literal(1),
  /** Where the next page of changes begins. */
  cursor: z.string().optional(),
  /** The pass through changes that is under way. */
  pass: PassState.optional(),
  /** The pass through a listing that is under way, with the cursor of its next page. */
  listing: PassState.extend({ cursor: z.string().optional() }).optional(),
  /** The number of the first pass that missed what the brake holds back until a full pass confirms it. */
  heldSince: Count.optional(),
  /** When a listing ended that lacked items whose absence could not be confirmed, so that a second one is due. */
  unconfirmedAt: Count.optional(),
  /** When the last full pass that came to its end began, in milliseconds since 1970; 0 at first. */
  fullAt: Count
})

/** A pass through changes or through a listing. */
export type PassState = z.infer<typeof PassState>

/** What a run leaves for the next one. */
export type Progress = z.infer<typeof Progress>

/** How far apart two listings have to be that agree on what is gone, in milliseconds. */
export const LISTINGS_APART_MS = 60_000

/** Nothing was read yet. */
export const NO_PROGRESS: Progress = { v: 1, fullAt: 0 }

/** The text that `readProgress` reads. */
export function progressText(progress: Progress): string {
  return JSON.stringify(progress)
}

/** What a text says; undefined where it is none of this version, so that everything has to be listed anew. */
export function readProgress(text: string): Progress | undefined {
  try {
    return Progress.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** A pass that has not begun. */
export function newPass(begun: Pick<PassState, 'number' | 'beganAt' | 'full' | 'braked'>): PassState {
  return { ...begun, stretches: false, ended: false }
}

/** The pass with what was spent on look-ups so far. */
export function withLookUps(pass: PassState, { asked, parked, open }: NonNullable<PassState['lookUps']>): PassState {
  return { ...pass, lookUps: { asked, parked, open } }
}

/** The progress with a pass as it is now, through changes or through a listing. */
export function withPass(progress: Progress, pass: PassState): Progress {
  const { listing } = progress
  if (listing?.number !== pass.number) return { ...progress, pass }
  return { ...progress, listing: { ...listing, ...pass } }
}
