import type { ServerHost, ServerSettingValue } from '../../src/cli/ports/server-host.ts'
import type { RunningServer } from '../../src/contract/running-server.ts'
import type { Machine } from '../../src/ports.ts'

/** Settings of the servers on a fake machine. By default there are no servers. */
export type HostWishes = { host?: Partial<ServerHost>; machine?: Partial<Machine> }

export const FACTS: RunningServer = {
  pid: 42,
  process_started: '7',
  origin: 'http://127.0.0.1:8787',
  data_dir: '/data',
  started_at: '2026-05-01T11:00:00.000Z',
  version: '0.1.0',
  log_file: '/data/server.log'
}

const DATA_DIR: ServerSettingValue = { key: 'data_dir', value: '/data', origin: 'default', where: null }

export function fakeHost({ host, machine }: HostWishes): { server: ServerHost; machine: Machine } {
  return {
    server: {
      table: async () => [
        { key: 'port', variable: 'MEMCTL_SERVER_PORT', flag: '--port', otherwise: '8787', about: 'its port' }
      ],
      settings: async (flags) => [{ ...DATA_DIR, value: flags.data_dir ?? DATA_DIR.value }],
      run: async (_flags, { onReady }) => await onReady(FACTS, undefined),
      facts: () => undefined,
      isRunning: () => false,
      detach: () => {
        throw new Error('nothing is started here')
      },
      terminate: () => undefined,
      providers: async () => [],
      keepSettings: async () => ({ path: '/home/ada/config/server.json' }),
      rotateKey: async () => ({ key_id: 'key-2', resealed: 0 }),
      forgetCredentials: async () => ({ key_id: 'key-3', forgotten: 2 }),
      checkStorage: async () => ({ lines: 3, rows: 9, found: 0, set_aside: 0, corrected: 0, findings: [] }),
      listAside: async () => [],
      runSandbox: async () => undefined,
      ...host
    },
    machine: {
      nodeVersion: '20.19.0',
      freeBytes: () => 1 << 30,
      mayWrite: () => true,
      takesFolders: () => true,
      ...machine
    }
  }
}
