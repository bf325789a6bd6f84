/** Why index bytes are refused: `damaged` is not what was written, `other_version` was written by another memctl. */
export type UnusableReason = 'damaged' | 'other_version'

/** Index bytes that cannot be used. Nothing is lost by it: the index is a cache and can be made from the snapshot. */
export class UnusableIndex extends Error {
  readonly reason: UnusableReason

  constructor(reason: UnusableReason, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'UnusableIndex'
    this.reason = reason
  }
}
