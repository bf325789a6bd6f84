import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PROVIDERS } from '../../../server/providers/providers.ts'
import { SERVER_SETTINGS } from '../../../server/service/server-settings.ts'
import { PROVIDER_IDS } from '../../../src/contract/provider-ids.ts'

/** Expands lines about all providers for each of them. */
const readme = readFileSync(new URL('../../../server/README.md', import.meta.url), 'utf8')
  .split('\n')
  .flatMap((line) => {
    if (!/<provider>/i.test(line)) return [line]
    return PROVIDER_IDS.map((id) => line.replaceAll('<provider>', id).replaceAll('<PROVIDER>', id.toUpperCase()))
  })
  .join('\n')
const rows = readme.split('\n').filter((line) => line.startsWith('| `'))

test.each(Object.values(SERVER_SETTINGS))('documents $key with its variable, flag and default', (setting) => {
  const row = rows.find((line) => line.includes(`\`${setting.variable}\``)) ?? ''
  expect(row).toContain(`\`${setting.key}\``)
  if (setting.flag !== undefined) expect(row).toContain(`\`${setting.flag}\``)
  if (setting.otherwise !== undefined) expect(row).toContain(`\`${setting.otherwise}\``)
})

test('documents no unknown variable', () => {
  const known = Object.values(SERVER_SETTINGS).map(({ variable }) => variable as string)
  const named = [...readme.matchAll(/MEMCTL_[A-Z_]+/g)].map(([name]) => name)
  expect(named.filter((name) => !known.includes(name))).toEqual([])
})

test.each(PROVIDERS)('documents what the client of $facts.id requires', ({ facts: { id, service, oauth } }) => {
  const row = rows.find((line) => line.startsWith(`| \`${id}\` |`)) ?? ''
  expect(row).toContain(service)
  for (const scope of oauth.scopes) expect(row).toContain(`\`${scope}\``)
  expect(row.endsWith(oauth.pkce ? '| S256 |' : '| no |')).toBe(true)
})
