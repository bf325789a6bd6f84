import * as z from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import { Text } from '../plain-shapes.ts'

const Status = z.object({ status: Text })

export const getHealth = defineEndpoint({
  method: 'GET',
  path: '/healthz',
  summary: 'Whether the process answers',
  access: 'public',
  replies: [{ status: 200, about: 'It does.', json: Status }],
  faults: []
})

export const getReadiness = defineEndpoint({
  method: 'GET',
  path: '/readyz',
  summary: 'Whether requests can be served: the storage is reached and the server is not stopping',
  access: 'public',
  replies: [{ status: 200, about: 'They can.', json: Status }],
  faults: []
})

export const getMetrics = defineEndpoint({
  method: 'GET',
  path: '/metrics',
  summary: 'Counters in the text format of Prometheus, without names or ids',
  access: 'public',
  replies: [{ status: 200, about: 'The counters.', text: 'text/plain; version=0.0.4; charset=utf-8' }],
  faults: []
})

export const getOpenApi = defineEndpoint({
  method: 'GET',
  path: '/openapi.json',
  summary: 'This contract as an OpenAPI 3.1 document',
  access: 'public',
  replies: [{ status: 200, about: 'The document.', json: z.looseObject({ openapi: Text }) }],
  faults: []
})

export const getDocs = defineEndpoint({
  method: 'GET',
  path: '/docs',
  summary: 'A page to read the contract on, which needs nothing from elsewhere',
  access: 'public',
  replies: [{ status: 200, about: 'The page.', text: 'text/html; charset=utf-8' }],
  faults: []
})
