// Syncing under bad conditions: a built server and a built sandbox over sockets. Hostile content, providers with
// malformed replies, a killed server, and simultaneous requests for one connection. `--only` names parts, such as
// `replies,kills`.
import { newKey, startServer } from '../bench/load/server-process.mjs'
import { ensureBuilt, makeHome } from './kit/program.mjs'
import { createReport, options } from './kit/report.mjs'
import { startSandbox } from './kit/sandbox-process.mjs'
import { asking, commands } from './kit/sync-asking.mjs'
import { atOnce } from './kit/sync-at-once.mjs'
import { contents } from './kit/sync-contents.mjs'
import { kills } from './kit/sync-kills.mjs'
import { limits } from './kit/sync-limits.mjs'
import { replies } from './kit/sync-replies.mjs'

const WHOLE = 100
const PARTS = { contents, replies, kills, limits, atOnce, asking, commands }
const { count, seed, only, random } = options(WHOLE, Object.keys(PARTS))

const report = createReport(`syncing (seed ${seed})`)
ensureBuilt()
const home = makeHome()
const sandbox = await startSandbox(home.env)
const settings = { MEMCTL_ADMIN_KEY: newKey(), ...sandbox.environment }
const server = await startServer({ env: home.env, settings })
const place = { server, sandbox, home, settings, report, isWhole: count >= WHOLE, count, random }

const chosen = only?.split(',')
for (const [name, part] of Object.entries(PARTS)) if (chosen === undefined || chosen.includes(name)) await part(place)
const { code } = await place.server.stop()
report.case('the server stopped as it should', code === 0 ? undefined : `exit ${code}: ${server.said().slice(-300)}`)
await sandbox.end()
report.finish()
