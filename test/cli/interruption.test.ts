import { expect, test } from 'vitest'
import { main } from '../../src/cli/program/main.ts'
import { Fault } from '../../src/contract/faults.ts'
import { fakeDevice, memory } from './fake-device.ts'
import { fakeWorld } from './fake-world.ts'
import { SNAPSHOT } from './run-cli.ts'
import { testModules } from './test-modules.ts'

const argv = ['device', 'store', 'x', '--snapshot', SNAPSHOT]

function worldWithSnapshot() {
  const world = fakeWorld()
  world.files.put(SNAPSHOT, '')
  return world
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143]
] as const)('%s ends a command that handles the interruption with its own message, exit %i', async (name, code) => {
  const world = worldWithSnapshot()
  const store = async () => {
    world.interrupt(name)
    throw new Fault('cancelled', 'stopped; nothing was stored')
  }
  const { module } = fakeDevice({ device: { store } })
  expect(await main(argv, world, testModules(module))).toBe(code)
  expect(world.said.stderr).toContain('error: stopped; nothing was stored\n')
})

test('abandons a command that does not stop after a moment, and reports the state of the data', async () => {
  const world = worldWithSnapshot()
  const store = async () => {
    world.interrupt('SIGINT')
    world.passTime()
    return await new Promise<never>(() => undefined)
  }
  const { module } = fakeDevice({ device: { store } })
  expect(await main(argv, world, testModules(module))).toBe(130)
  expect(world.said.stderr).toContain('error: stopped. Each memory is stored completely or not at all')
})

test('stops the output of a list at once and reports that nothing was changed', async () => {
  const world = worldWithSnapshot()
  function* records() {
    yield memory(1, 'first')
    world.interrupt('SIGINT')
    yield memory(2, 'second')
  }
  const { module } = fakeDevice({ device: { list: () => ({ records: records(), damaged: [] }) } })
  const code = await main(['device', 'list', '--snapshot', SNAPSHOT], world, testModules(module))
  expect(code).toBe(130)
  expect(world.said.stderr).toContain('error: stopped. Nothing was changed\n')
  expect(world.said.stdout).not.toContain('second')
})

test('prints an interruption as one line in JSON mode', async () => {
  const world = worldWithSnapshot()
  const store = async () => {
    world.interrupt('SIGTERM')
    throw new Fault('cancelled', 'stopped; nothing was stored')
  }
  const { module } = fakeDevice({ device: { store } })
  expect(await main([...argv, '--json'], world, testModules(module))).toBe(143)
  expect(JSON.parse(world.said.stderr).error).toMatchObject({ code: 'terminated', exit_code: 143, retryable: true })
})

test('does not change an error that is unrelated to the interruption', async () => {
  const world = worldWithSnapshot()
  const store = async () => {
    world.interrupt('SIGINT')
    throw new Fault('system_refused', 'the disk is full')
  }
  const { module } = fakeDevice({ device: { store } })
  expect(await main(argv, world, testModules(module))).toBe(1)
})
