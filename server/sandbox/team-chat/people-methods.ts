import type { StandInCall } from '../stand-in.ts'
import { givenIn, lacking, ok, refused } from './envelope.ts'
import { limitOf, pageOf } from './pages.ts'
import { personView } from './views.ts'

/** Whose token it is (https://docs.slack.dev/reference/methods/auth.test). */
export function authTest(call: StandInCall): Response {
  const { team, self, people } = givenIn(call).workspace
  const url = `https://${team.domain}.slack.com/`
  return ok({ url, team: team.name, user: people.get(self)?.handle ?? '', team_id: team.id, user_id: self })
}

/** https://docs.slack.dev/reference/methods/users.list */
export function usersList(call: StandInCall): Response {
  const { workspace, text } = givenIn(call)
  const limit = limitOf(text('limit'), { usual: 1000, max: 1000 })
  const refusal = lacking(call, 'users:read')
  if (refusal !== undefined) return refusal
  if (limit === undefined) return refused('invalid_limit')
  const place = { kind: 'user', cursor: text('cursor'), limit, repeat: call.fault('repeat_cursor') !== undefined }
  const page = pageOf([...workspace.people.values()], place)
  if (page === 'invalid_cursor') return refused(page)
  return ok({
    members: page.rows.map((person) => personView(person, workspace)),
    cache_ts: Math.floor(call.now / 1000),
    response_metadata: { next_cursor: page.next }
  })
}

/** https://docs.slack.dev/reference/methods/users.info */
export function usersInfo(call: StandInCall): Response {
  const { workspace, text } = givenIn(call)
  const refusal = lacking(call, 'users:read')
  if (refusal !== undefined) return refusal
  const person = workspace.people.get(text('user') ?? '')
  return person === undefined ? refused('user_not_found') : ok({ user: personView(person, workspace) })
}
