import type { FormatFacts } from '../../port/format.ts'

/**
 * https://slack.com/help/articles/220556107: a folder for each channel with a file for each day, and lists of users and
 * channels.
 */
export const FACTS: FormatFacts = {
  id: 'slack',
  name: 'an export of Slack',
  markers: [{ path: /[^/]\/\d{4}-\d\d-\d\d\.json$/, head: [/"ts"\s*:\s*"\d{10}\.\d{6}"/] }],
  edits: false
}

/** The files that describe the workspace and are not messages. */
export const LISTS = /(^|\/)(users|channels|groups|dms|mpims)\.json$/

/**
 * Subtypes of messages that report an event of the channel (https://docs.slack.dev/reference/events/message#subtypes). All
 * others have words of a person or program.
 */
export const EVENT_SUBTYPES =
  /^(channel|group|bot_(add|remove)$|pinned_item$|unpinned_item$|reminder|ekm|sh_room|huddle|channel_|document_mention|list_record)/

/** Subtypes of messages that were deleted. Slack keeps them for their threads. */
export const DELETED_SUBTYPES: ReadonlySet<string> = new Set(['tombstone', 'message_deleted'])
