import { html } from 'hono/html'
import type { JsonSchema } from '../../../src/contract/json-schema.ts'
import type { Parameter } from '../openapi/open-api.ts'
import { inlineCode, type Markup } from './inline-code.ts'
import { typeText } from './type-text.ts'

/** `mark`: what is said of it beside its type. */
type Member = { name: string; schema: JsonSchema; about: string | undefined; mark: Markup }

const MUST = html` <span class="must">required</span>`
const MAY = html` <span class="may">may be absent</span>`
const NO_MARK = html``

/** The members of an object that is sent, one below the other, with what must be there. */
export function sentMembers(schema: JsonSchema): Markup {
  const more = schema.additionalProperties === false ? html`<p class="quiet">Other members are refused.</p>` : ''
  return html`${memberList(schema, { needed: MUST, other: NO_MARK })}${oneOfText(schema)}${more}`
}

/** The members of an object that comes back, with what may be absent. */
export function givenMembers(schema: JsonSchema): Markup {
  return memberList(schema, { needed: NO_MARK, other: MAY })
}

/** Parameters of an address, in the same form. */
export function parameterList(parameters: readonly Parameter[]): Markup {
  return list(
    parameters.map(({ name, schema, required, description }) => {
      return { name, schema, about: description, mark: required ? MUST : NO_MARK }
    })
  )
}

function memberList({ properties = {}, required = [] }: JsonSchema, marks: { needed: Markup; other: Markup }): Markup {
  return list(
    Object.entries(properties as Record<string, JsonSchema>).map(([name, schema]) => ({
      name,
      schema,
      about: typeof schema.description === 'string' ? schema.description : undefined,
      mark: (required as string[]).includes(name) ? marks.needed : marks.other
    }))
  )
}

function list(members: readonly Member[]): Markup {
  if (members.length === 0) return html``
  return html`<ul class="members">${members.map(memberItem)}</ul>`
}

function memberItem({ name, schema, about, mark }: Member): Markup {
  const told = about === undefined ? '' : html`<p>${inlineCode(about)}</p>`
  return html`<li><code class="name">${name}</code> <span class="type">${typeText(schema)}</span>${mark}${told}</li>`
}

/** Of forms that exclude each other, which ones there are. */
function oneOfText({ oneOf }: JsonSchema): Markup {
  if (!Array.isArray(oneOf)) return html``
  const names = oneOf.flatMap(({ required }: { required: string[] }) => required)
  return html`<p>Exactly one of ${names.map((name, at) => html`${at === 0 ? '' : ' and '}<code>${name}</code>`)}.</p>`
}
