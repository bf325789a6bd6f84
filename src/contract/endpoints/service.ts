import * as z from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import { Text } from '../plain-shapes.ts'

const Status = z.object({ status: Text })

export const getHealth = defineEndpoint({
  method: 'GET',
  path: '/healthz',
  summary: 'Report whether the process responds',
  access: 'public',
  replies: [{ status: 200, about: 'The process responds.', json: Status }],
  faults: []
})

export const getReadiness = defineEndpoint({
  method: 'GET',
  path: '/readyz',
  summary: 'Report whether the server can serve requests: its storage responds and it is not stopping',
  access: 'public',
  replies: [{ status: 200, about: 'The server can serve requests.', json: Status }],
  faults: []
})

export const getMetrics = defineEndpoint({
  method: 'GET',
  path: '/metrics',
  summary: 'Return metrics in the Prometheus text format, without names or ids',
  access: 'public',
  replies: [{ status: 200, about: 'The metrics.', text: 'text/plain; version=0.0.4; charset=utf-8' }],
  faults: []
})

export const getOpenApi = defineEndpoint({
  method: 'GET',
  path: '/openapi.json',
  summary: 'Return this contract as an OpenAPI 3.1 document',
  access: 'public',
  replies: [{ status: 200, about: 'The document.', json: z.looseObject({ openapi: Text }) }],
  faults: []
})

export const getDocs = defineEndpoint({
  method: 'GET',
  path: '/docs',
  summary: 'Show this contract as a page without external resources',
  access: 'public',
  replies: [{ status: 200, about: 'The page.', text: 'text/html; charset=utf-8' }],
  faults: []
})
