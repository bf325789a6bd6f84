import { callService } from './service.mjs'

const CONTROL = '/sandbox/control'
/** Generated messages per minute. */
const MESSAGES_A_MINUTE = 1000
const DAY_MS = 24 * 3600 * 1000

/**
 * Creates control requests to a sandbox, of a server or running alone. They add content to an account of a provider, by
 * default the first one, and read the calls.
 */
export function sandboxOrders(place, account = 0) {
  const order = (method, path, body) => callService(place, { method, path: `${CONTROL}${path}`, body })
  const change = async (provider, name, body) => {
    const { accounts } = await order('GET', `/accounts/${provider}`)
    const { id } = accounts[account]
    return await order('POST', `/accounts/${provider}/${encodeURIComponent(id)}/${name}`, body)
  }
  return {
    change,
    /** Lets `after` calls of an operation pass, and makes the next one wait until its caller leaves. */
    hold: (provider, operation, after) => order('POST', '/faults', { provider, operation, kind: 'timeout', after }),
    /** Removes waits that were not reached. */
    release: () => order('DELETE', '/faults'),
    forgetRequests: () => order('DELETE', '/requests'),
    /** Returns the calls since then by operation, without those of consent. */
    async requests(provider) {
      const { counts } = await order('GET', '/requests')
      return Object.fromEntries(Object.entries(counts[provider] ?? {}).filter(([name]) => !name.startsWith('oauth.')))
    },
    ...contentOrders(change)
  }
}

/**
 * Returns the operations that add content. Each returns the selection for a connection (`config`) and the ids of the
 * items in it.
 */
function contentOrders(change) {
  return {
    async cloud_drive(count) {
      const { id } = await change('cloud_drive', 'add_folder', { parent: 'root', name: 'many' })
      const file = { parent: id, name: 'note.txt', text: 'Ada met Tomas at the harbour to look at the compass', count }
      const { ids } = await change('cloud_drive', 'add_file', file)
      return { config: { folder_ids: [id] }, ids }
    },
    /** The account's other content is synced too. */
    async mailbox(count) {
      const mail = { subject: 'Compass', text: 'Ada met Tomas at the harbour to look at the compass', count }
      const { ids } = await change('mailbox', 'receive', mail)
      return { config: undefined, ids }
    },
    /** Older than what each sync reads again. */
    async team_chat(count) {
      const { channel } = await change('team_chat', 'add_channel', { name: 'many' })
      const ids = []
      const start = Date.now() - 60 * DAY_MS
      for (let minute = 0; ids.length < count; minute++) {
        const some = Math.min(MESSAGES_A_MINUTE, count - ids.length)
        const text = `Ada met Tomas at the harbour in minute ${minute}`
        const { all } = await change('team_chat', 'post', { channel, text, count: some, at: start + minute * 60_000 })
        ids.push(...all.map((ts) => `${channel}/${ts}/${ts}`))
      }
      return { config: { channel_ids: [channel] }, ids }
    },
    /** Creates nested folders with a file in each, and a shortcut to the top in the innermost one. */
    async deepDrive(levels) {
      const ids = []
      let parent = 'root'
      let top
      for (let level = 1; level <= levels; level++) {
        const folder = await change('cloud_drive', 'add_folder', { parent, name: `level ${level}` })
        const text = `What stands on level ${level}`
        ids.push((await change('cloud_drive', 'add_file', { parent: folder.id, name: `${level}.txt`, text })).id)
        top ??= folder.id
        parent = folder.id
      }
      await change('cloud_drive', 'add_shortcut', { parent, name: 'to the top', target: top })
      return { config: { folder_ids: [top] }, ids }
    },
    async largeFile(bytes) {
      const { id } = await change('cloud_drive', 'add_folder', { parent: 'root', name: 'large' })
      const file = { parent: id, name: 'large.txt', text: 'Ada met Tomas at the harbour.\n', size: bytes }
      const large = await change('cloud_drive', 'add_file', file)
      const small = await change('cloud_drive', 'add_file', { parent: id, name: 'small.txt', text: 'Beside it' })
      return { config: { folder_ids: [id] }, ids: [small.id], large: large.id }
    }
  }
}
