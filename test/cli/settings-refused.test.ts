import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { nodePreferences } from '../../bin/node/node-preferences.ts'

vi.mock('conf', () => ({
  default: class {
    set(): void {
      throw Object.assign(new Error('refused'), { code: 'EACCES', syscall: 'open' })
    }
  }
}))

test('names the folder of settings that cannot be written, and the variable that chooses another', async () => {
  const config = join('/nowhere', 'config')
  const folders = { current: '/', home: '/', config, data: '/', cache: '/', temporary: '/' }
  await expect(nodePreferences(folders).write('lock_wait', '5s')).rejects.toMatchObject({
    code: 'system_refused',
    message: `settings file ${join(config, 'config.json')}: system error EACCES`,
    hint: expect.stringMatching(/permissions and the content of \/nowhere\/config.*MEMCTL_CONFIG_DIR/)
  })
})
