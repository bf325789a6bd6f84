import type { KnownParameters } from '../core/sandbox-provider.ts'

/**
 * The arguments of each method, by Slack's published description (https://github.com/slackapi/slack-api-specs). Newer
 * arguments are from the method's page: `include_all_metadata` of
 * https://docs.slack.dev/reference/methods/conversations.history and conversations.replies, `team_id` of bots.info,
 * users.list and conversations.list.
 */
const ARGUMENTS: Readonly<Record<string, string>> = {
  'auth.test': '',
  'bots.info': 'bot team_id',
  'conversations.history': 'channel latest oldest inclusive limit cursor include_all_metadata',
  'conversations.info': 'channel include_locale include_num_members',
  'conversations.list': 'exclude_archived types limit cursor team_id',
  'conversations.members': 'channel limit cursor',
  'conversations.replies': 'channel ts latest oldest inclusive limit cursor include_all_metadata',
  'users.info': 'include_locale user',
  'users.list': 'limit cursor include_locale team_id'
}

/**
 * The published parameters. A method accepts its arguments, including the token, in the query or in the body
 * (https://docs.slack.dev/apis/web-api/).
 */
export const PUBLISHED: Readonly<Record<string, KnownParameters>> = Object.fromEntries(
  Object.entries(ARGUMENTS).map(([method, words]) => {
    const names = ['token', ...words.split(' ').filter((word) => word !== '')]
    return [method, { query: names, body: names }]
  })
)
