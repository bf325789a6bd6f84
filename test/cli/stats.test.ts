import { expect, test } from 'vitest'
import { runDevice } from './run-cli.ts'

test('stats print counts of entities, facts, procedures and events on a terminal', async () => {
  const { stdout, code } = await runDevice(['stats'], { terminals: ['output'], columns: 80 })
  expect(code).toBe(0)
  const lines = stdout.split('\n')
  expect(lines).toContain('entities       2: Ada, …')
  expect(lines).toContain('facts          3 stated; 2 current, 1 superseded')
  expect(lines).toContain('predicates     lives_in 2')
  expect(lines).toContain('procedures     1')
  expect(stdout).not.toMatch(/^events/m)
})

test('stats print rows in a pipe and the whole object in JSON', async () => {
  const { stdout } = await runDevice(['stats'])
  expect(stdout.split('\n')).toEqual(expect.arrayContaining(['entities\t2', 'facts_superseded\t1', 'procedures\t1']))
  const json = JSON.parse((await runDevice(['stats', '--json'])).stdout)
  expect(json).toMatchObject({ memories: 3, entities: 2, facts: 3, top_predicates: [{ key: 'lives_in', facts: 2 }] })
})
