import * as z from 'zod'
import { defineEndpoint, type Refusal } from '../endpoint.ts'
import { ProviderName } from '../provider-ids.ts'

const params = z.strictObject({ provider: ProviderName })
const page = { status: 200, about: 'A page that says how it went.', text: 'text/html; charset=utf-8' } as const

const refusals = [
  { status: 400, about: 'A page: the state is none that was given out for this provider.' },
  { status: 403, about: 'A page: the person did not consent.' },
  { status: 404, about: 'A page: there is no such provider here.' },
  { status: 410, about: 'A page: it took too long, or was used before.' },
  { status: 502, about: 'A page: it failed, and why.' }
] as const satisfies readonly Refusal[]

export const receiveCallback = defineEndpoint({
  method: 'GET',
  path: '/v1/oauth/callback/{provider}',
  summary: 'Where a provider sends the person back to',
  access: 'public',
  params,
  // Providers add parameters of their own.
  query: z.looseObject({}),
  replies: [page],
  refusals,
  acts: true,
  faults: []
})

export const confirmConsent = defineEndpoint({
  method: 'POST',
  path: '/v1/oauth/callback/{provider}',
  summary: 'What the person says who is asked whether the account is to be linked',
  about: 'The form of the page that the callback shows where a consent has to be confirmed.',
  access: 'public',
  params,
  body: { form: z.looseObject({ ticket: z.string().max(1000), decision: z.enum(['approve', 'deny']) }) },
  replies: [page],
  refusals,
  acts: true,
  faults: []
})
