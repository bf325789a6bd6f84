const DAY_MS = 24 * 3600 * 1000

/**
 * Slack has no feed of changes for who asks: what was edited, deleted or answered is found by reading again. So much is
 * read again at each sync; what happens to older messages is found when everything is listed.
 */
export const FOLLOW = {
  /** Messages of a channel that are so old, counted from the sync before, are read again. */
  RESCAN_MS: 7 * DAY_MS,
  /** Replies that are no older are read again, though their thread says of itself that it did not change. */
  REPLY_EDITS_MS: 2 * DAY_MS,
  /** Threads that began earlier than that are asked for new replies, if their last one is no older. */
  WATCH_MS: 30 * DAY_MS,
  /** So many of them in each channel: a call each. */
  WATCHED_MAX: 100,
  /** So many threads of a channel are kept in mind. */
  THREADS_KNOWN_MAX: 2000,
  /** By so much the clock of Slack may be ahead. */
  CLOCKS_APART_MS: 3600 * 1000,
  /** What Slack recommends at most (https://docs.slack.dev/reference/methods/conversations.history); some apps get 15. */
  MESSAGES_PER_CALL: 200
} as const
