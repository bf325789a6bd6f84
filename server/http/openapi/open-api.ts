import type { Access } from '../../../src/contract/endpoint.ts'
import type { JsonSchema } from '../../../src/contract/endpoints/json-schema.ts'
import type { ProblemCode } from '../../../src/contract/problem-code.ts'

/** The parts of an OpenAPI document that are used here. */
export type OpenApi = {
  openapi: string
  info: { title: string; version: string; summary: string; description: string; license: object }
  servers: { url: string; description: string }[]
  security: SecurityRequirement[]
  tags: readonly OpenApiTag[]
  paths: Record<string, PathItem>
  components: { schemas: Record<string, JsonSchema>; securitySchemes: Record<string, object> }
}

export type OpenApiTag = { name: string; description: string }

export type SecurityRequirement = Record<string, never[]>

/** The operations by method, in lower case. */
export type PathItem = Record<string, Operation>

export type Operation = {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  security: SecurityRequirement[]
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, ApiResponse>
  'x-access': Access
  'x-faults': ProblemCode[]
}

export type Parameter = {
  name: string
  in: 'path' | 'query'
  required: boolean
  description?: string
  schema: JsonSchema
}

export type Content = Record<string, { schema: JsonSchema }>

export type ApiResponse = { description: string; headers?: Record<string, object>; content?: Content }
