import * as z from 'zod'
import { defineEndpoint, type Refusal } from '../endpoint.ts'
import { ProviderName } from '../provider-ids.ts'

const params = z.strictObject({ provider: ProviderName })
const page = { status: 200, about: 'A page that shows the result.', text: 'text/html; charset=utf-8' } as const

const refusals = [
  { status: 400, about: 'A page: the state is not one that the server issued for this provider.' },
  { status: 403, about: 'A page: the person did not consent.' },
  { status: 404, about: 'A page: the provider is unknown or not enabled.' },
  { status: 410, about: 'A page: the state has expired or was used before.' },
  { status: 502, about: 'A page: the consent failed, with the reason.' }
] as const satisfies readonly Refusal[]

export const receiveCallback = defineEndpoint({
  method: 'GET',
  path: '/v1/oauth/callback/{provider}',
  summary: 'Receive the redirect of a provider after a consent',
  access: 'public',
  params,
  // Providers add their own parameters.
  query: z.looseObject({}),
  replies: [page],
  refusals,
  acts: true,
  faults: []
})

export const confirmConsent = defineEndpoint({
  method: 'POST',
  path: '/v1/oauth/callback/{provider}',
  summary: 'Confirm or reject the connection of an account',
  about: 'The form of the page that the callback shows if the person must confirm the connection.',
  access: 'public',
  params,
  body: { form: z.looseObject({ ticket: z.string().max(1000), decision: z.enum(['approve', 'deny']) }) },
  replies: [page],
  refusals,
  acts: true,
  faults: []
})
