import { Fault } from '../../../contract/faults.ts'
import type { RunningServer } from '../../../contract/running-server.ts'
import type { ServerFlags } from '../../../ports.ts'
import { defineCommand } from '../../command/command.ts'
import type { Context } from '../../command/context.ts'
import { textOption } from '../../input/command-line.ts'
import { parseDuration } from '../../input/parse-time.ts'
import type { ServerHost } from '../../ports/server-host.ts'
import { findDataFolder } from '../../service/find-own-server.ts'
import { DATA_DIR_OPTION, serverFlags } from './server-flags.ts'

type Options = { flags: ServerFlags; timeoutMs: number }

/** Requests in flight have 30 s by default; closing takes a little longer. */
const TIMEOUT = '45s'

export const stopServerCommand = defineCommand<Options>({
  name: 'stop',
  summary: 'Stop the server on this machine',
  options: [
    DATA_DIR_OPTION,
    { flags: '--timeout <duration>', about: `maximum time to wait for the server to stop (default: ${TIMEOUT})` }
  ],
  about: 'Finishes the requests in flight first. Succeeds if no server is running.',
  examples: ['memctl server stop'],
  leaves: 'The server continues to stop',
  parse: ({ options }) => {
    const text = textOption(options, 'timeout') ?? TIMEOUT
    const timeoutMs = parseDuration(text)
    if (timeoutMs === undefined)
      throw new Fault('usage', `invalid --timeout '${text}': expected a number and a unit, such as 30s or 10m`, {
        hint: `for example --timeout ${TIMEOUT}`
      })
    return { flags: serverFlags(options), timeoutMs }
  },
  run: async (context, { flags, timeoutMs }) => {
    const host = await context.modules.server()
    const folder = await findDataFolder(context, host, flags)
    const facts = host.facts(folder)
    if (facts === undefined || !host.isRunning(facts)) {
      await context.diagnostics.note(`no server is running in ${folder}`)
      return await answerStopped(context, { stopped: false, pid: null, origin: null, data_dir: folder })
    }
    host.terminate(facts.pid)
    await untilGone(context, host, { facts, timeoutMs })
    await answerStopped(context, { stopped: true, pid: facts.pid, origin: facts.origin, data_dir: folder })
  }
})

/** Time between two checks whether the server has stopped, in milliseconds. */
const LOOK_MS = 25

async function untilGone(
  { world: { clock, terminal } }: Context,
  host: ServerHost,
  { facts, timeoutMs }: { facts: RunningServer; timeoutMs: number }
): Promise<void> {
  for (const start = clock.ticks(); host.isRunning(facts); ) {
    if (terminal.interrupted.aborted) throw new Fault('cancelled', '')
    if (clock.ticks() - start >= timeoutMs) {
      throw new Fault(
        'still_pending',
        `process ${facts.pid} was asked to stop and is still running after ${timeoutMs / 1000} s`,
        {
          hint: `memctl server logs shows what it is doing; kill -9 ${facts.pid} stops it at once, and acknowledged data is not lost`,
          next: ['memctl server stop', 'memctl server logs']
        }
      )
    }
    await clock.wait(LOOK_MS)
  }
}

type Stopped = { stopped: boolean; pid: number | null; origin: string | null; data_dir: string }

async function answerStopped({ answer }: Context, report: Stopped): Promise<void> {
  await answer.object(report, {
    lines: () => (report.stopped ? [[`stopped: ${report.origin} (process ${report.pid})`]] : [])
  })
}
