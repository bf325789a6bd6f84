import { expect, test } from 'vitest'
import { groupOrder } from '../../src/cli/views/group-order.ts'
import { GROUPS, type Group } from '../../src/contract/groups.ts'
import type { MemoryResponse } from '../../src/contract/memory-response.ts'

type Best = { score: number; on: string[] }

/** Builds a response with one entry per group. */
function response(best: Partial<Record<Group, Best>>): MemoryResponse {
  const groups = GROUPS.map((group) => {
    const one = best[group]
    return [group, one === undefined ? [] : [{ id: group, score: one.score, source_ids: one.on }]]
  })
  return Object.fromEntries(groups)
}

test('puts facts of the best source before the sources, and others after them', () => {
  const sources = { score: 0.5, on: ['a'] }
  const order = (on: string[], score: number) => groupOrder(response({ sources, semantics: { score, on } })).shown
  expect(order(['a'], 0.4)).toEqual(['semantics', 'sources'])
  expect(order(['b'], 0.7)).toEqual(['sources', 'semantics'])
  expect(order(['b', 'a'], 0.4)).toEqual(['semantics', 'sources'])
})

test('puts the group with the higher score first, and episodes last', () => {
  const { shown } = groupOrder(
    response({
      sources: { score: 0.5, on: ['a', 'copy'] },
      semantics: { score: 0.4, on: ['copy'] },
      procedures: { score: 0.6, on: ['a'] },
      episodes: { score: 0.9, on: ['a', 'b'] }
    })
  )
  expect(shown).toEqual(['procedures', 'semantics', 'sources', 'episodes'])
})

test('omits a group that scores far less than the best source', () => {
  const { shown, left } = groupOrder(
    response({ sources: { score: 0.5, on: ['a'] }, procedures: { score: 0.1, on: ['a'] } })
  )
  expect([shown, left]).toEqual([['sources'], ['procedures']])
})

test('shows every group if there are no sources', () => {
  const { shown, left } = groupOrder(
    response({ semantics: { score: 0.1, on: ['a'] }, episodes: { score: 0.9, on: ['a'] } })
  )
  expect([shown, left]).toEqual([['semantics', 'episodes'], []])
})
