import type { StandInCall, StandInRoute } from '../stand-in.ts'
import { conversationsInfo, conversationsList, conversationsMembers } from './channel-methods.ts'
import { refusedBody } from './envelope.ts'
import { conversationsHistory, conversationsReplies } from './message-methods.ts'
import { authTest, usersInfo, usersList } from './people-methods.ts'

const METHODS: Readonly<Record<string, (call: StandInCall) => Response>> = {
  'auth.test': authTest,
  'conversations.history': conversationsHistory,
  'conversations.info': conversationsInfo,
  'conversations.list': conversationsList,
  'conversations.members': conversationsMembers,
  'conversations.replies': conversationsReplies,
  'users.info': usersInfo,
  'users.list': usersList
}

/** Each method by GET and by POST, which mean the same (https://docs.slack.dev/apis/web-api/). */
export const TEAM_CHAT_ROUTES: readonly StandInRoute[] = Object.entries(METHODS).flatMap(([operation, answer]) =>
  (['GET', 'POST'] as const).map((method) => ({
    method,
    path: `/api/${operation}`,
    operation,
    answer: (call: StandInCall) => refusedBody(call) ?? answer(call)
  }))
)
