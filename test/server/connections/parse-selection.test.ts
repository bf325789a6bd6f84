import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseSelection, readSelection } from '../../../server/connections/parse-selection.ts'

import { Fault } from '../../../src/contract/faults.ts'

const FOLDERS = { provider: 'cloud_drive', key: 'folder_ids', driveIds: false } as const
const CHANNELS = { provider: 'team_chat', key: 'channel_ids', driveIds: false } as const
const NONE = { provider: 'mailbox', key: undefined, driveIds: false } as const

type Rules = Parameters<typeof parseSelection>[1]

function refusal(config: Record<string, unknown>, rules: Rules, at = 'config'): Fault {
  try {
    parseSelection({ config, at }, rules)
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown
    throw thrown
  }
  throw new Error('it was taken')
}

function paths(config: Record<string, unknown>, rules: Rules, at?: string): string[] {
  const fault = refusal(config, rules, at)
  expect(fault.code).toBe('invalid_input')
  return fault.errors.map(({ path }) => path)
}

const ten = Array.from({ length: 10 }, (_, at) => `folder${at}`)
const fifty = Array.from({ length: 50 }, (_, at) => `C0${String(at).padStart(3, '0')}`)

test('accepts up to 10 folders and 50 channels', () => {
  const taken = (config: Record<string, unknown>, rules: Rules) => parseSelection({ config, at: 'config' }, rules)
  expect(taken({ folder_ids: ten }, FOLDERS)).toEqual({ folder_ids: ten })
  expect(taken({ channel_ids: fifty }, CHANNELS)).toEqual({ channel_ids: fifty })
  expect(paths({ folder_ids: [...ten, 'one'] }, FOLDERS)).toEqual(['config.folder_ids'])
  expect(paths({ channel_ids: [...fifty, 'C1'] }, CHANNELS)).toEqual(['config.channel_ids'])
})

test('accepts a folder id of 1 to 64 letters and digits', () => {
  const wrong = ['', 'a'.repeat(65), 'a-b', 'a_b', 'a b', 'ä', 'a/b', '../x', 'a\u0000', 'a\n', 7]
  for (const id of wrong) expect([id, paths({ folder_ids: [id] }, FOLDERS)]).toEqual([id, ['config.folder_ids[0]']])
  expect(parseSelection({ config: { folder_ids: ['a'.repeat(64)] }, at: '' }, FOLDERS).folder_ids).toHaveLength(1)
})

test('accepts ids of real drives if the admin allows them', () => {
  const given = { config: { folder_ids: ['1aB-_9'] }, at: 'config' }
  expect(parseSelection(given, { ...FOLDERS, driveIds: true })).toEqual(given.config)
  expect(() => parseSelection(given, FOLDERS)).toThrow(Fault)
})

test('accepts a channel id that starts with C or G and has upper-case letters and digits', () => {
  for (const id of ['C', 'D1', 'c1', 'C1a', 'C-1', 'C1 ', 'XC1', '', 'U0123', null])
    expect([id, paths({ channel_ids: [id] }, CHANNELS)]).toEqual([id, ['config.channel_ids[0]']])
  const { channel_ids } = parseSelection({ config: { channel_ids: ['C1', 'G9ABC'] }, at: '' }, CHANNELS)
  expect(channel_ids).toEqual(['C1', 'G9ABC'])
})

test('names every invalid id by its path', () => {
  const ids = ['good', 'a-b', 'fine', 'c d', 'x'.repeat(70)]
  expect(paths({ folder_ids: ids }, FOLDERS)).toEqual([1, 3, 4].map((at) => `config.folder_ids[${at}]`))
  expect(paths({ folder_ids: ids }, FOLDERS, '')).toEqual([1, 3, 4].map((at) => `folder_ids[${at}]`))
})

test('requires a list with at least one id', () => {
  expect(paths({ folder_ids: [] }, FOLDERS)).toEqual(['config.folder_ids'])
  expect(paths({}, FOLDERS)).toEqual(['config.folder_ids'])
  expect(paths({ folder_ids: 'abc' }, FOLDERS)).toEqual(['config.folder_ids'])
  expect(paths({ folder_ids: null }, FOLDERS)).toEqual(['config.folder_ids'])
  expect(paths({ channel_ids: { 0: 'C1', length: 1 } }, CHANNELS)).toEqual(['config.channel_ids'])
})

test('rejects the key of another provider, alone and next to the right one', () => {
  expect(paths({ channel_ids: ['C1'] }, FOLDERS)).toEqual(['config.channel_ids'])
  expect(paths({ channel_ids: ['C1'], folder_ids: ['a b'] }, FOLDERS)).toEqual([
    'config.channel_ids',
    'config.folder_ids[0]'
  ])
})

test('removes repeated ids and keeps their order', () => {
  expect(parseSelection({ config: { folder_ids: ['b', 'a', 'b'] }, at: '' }, FOLDERS)).toEqual({
    folder_ids: ['b', 'a']
  })
})

test('rejects a config for a provider without a selection', () => {
  for (const config of [{}, { folder_ids: ['a'] }, { channel_ids: [] }])
    expect(refusal(config, NONE)).toMatchObject({ code: 'usage', message: expect.stringContaining('mailbox') })
})

test('rejects a list that is far too long quickly', () => {
  const fault = refusal({ folder_ids: Array.from({ length: 1_000_000 }, () => '-') }, FOLDERS)
  expect(fault.errors.length).toBeLessThanOrEqual(101)
})

test('returns a selection within the limits or a fault with a path for any input', () => {
  const anything = fc.oneof(fc.array(fc.oneof(fc.string(), fc.jsonValue()), { maxLength: 60 }), fc.jsonValue())
  fc.assert(
    fc.property(anything, (value) => {
      try {
        const { folder_ids = [] } = parseSelection({ config: { folder_ids: value }, at: 'config' }, FOLDERS)
        expect(folder_ids.length).toBeGreaterThan(0)
        expect(folder_ids.length).toBeLessThanOrEqual(10)
        expect(folder_ids.every((id) => /^[A-Za-z0-9]{1,64}$/.test(id))).toBe(true)
      } catch (thrown) {
        if (!(thrown instanceof Fault)) throw thrown
        expect(thrown.errors[0]?.path).toMatch(/^config\.folder_ids/)
      }
    })
  )
})

test('accepts a selection under config or at the top of a config update, but not both', () => {
  const apply = 'full_resync'
  expect(readSelection({ apply, config: { folder_ids: ['a'] } })).toEqual({
    config: { folder_ids: ['a'] },
    at: 'config'
  })
  expect(readSelection({ apply, folder_ids: ['a'] })).toEqual({ config: { folder_ids: ['a'] }, at: '' })
  expect(readSelection({ apply })).toMatchObject({ at: 'config' })
  const both = (): unknown => readSelection({ apply, config: {}, channel_ids: ['C1'] })
  expect(both).toThrow(
    expect.objectContaining({ code: 'invalid_input', errors: [expect.objectContaining({ path: 'channel_ids' })] })
  )
})

test('names an unsupported mode and the supported ones', () => {
  const asked = (): unknown => readSelection({ apply: 'incremental', config: { folder_ids: [] } })
  const message = "Unsupported apply mode: 'incremental'. Supported: ['full_resync']"
  expect(asked).toThrow(expect.objectContaining({ code: 'usage', message }))
})
