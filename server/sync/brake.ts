/** So many may always go. */
const UNSEEN_MAX = 20
/** And such a part of those that were synced. */
const UNSEEN_PART_MAX = 0.3

/**
 * Whether so much was not seen that it is not believed yet: a second full pass has to miss it, too. Where a listing is broken in a
 * way that nobody notices, nothing is lost until then.
 */
export function isHeldBack({ unseen, synced }: { unseen: number; synced: number }): boolean {
  return unseen > UNSEEN_MAX && unseen > synced * UNSEEN_PART_MAX
}
