import { parse } from 'yaml'
import { z } from 'zod'
import { type Job, offerNpm, runnerEnvironment, runScript } from './recipe-kit.ts'

const Texts = z.record(z.string(), z.string())

const Step = z.union([
  z.strictObject({ name: z.string(), run: z.string(), env: Texts.default({}) }),
  z.strictObject({ uses: z.string(), if: z.string().optional(), with: z.record(z.string(), z.unknown()) })
])

/** The keys that the workflow uses. The schema rejects all others, so that none is silently ignored. */
const Workflow = z.strictObject({
  name: z.string(),
  on: z.record(z.enum(['schedule', 'workflow_dispatch']), z.unknown()),
  permissions: Texts,
  concurrency: z.string(),
  defaults: z.strictObject({ run: z.strictObject({ shell: z.literal('bash') }) }),
  jobs: z.strictObject({
    snapshot: z.strictObject({
      'runs-on': z.string(),
      'timeout-minutes': z.int(),
      env: Texts,
      steps: z.array(Step)
    })
  })
})

export type Workflow = z.infer<typeof Workflow>

/** Parses a workflow as YAML 1.2 without warnings. */
export function parseWorkflow(text: string): Workflow {
  return Workflow.parse(parse(text, { strict: true, uniqueKeys: true }))
}

export type Ran = { code: number; log: string; steps: string[] }

/** The arguments that GitHub passes to the shell `bash`. */
const FLAGS = ['--noprofile', '--norc', '-eo', 'pipefail']

/** Runs the script steps in order until one fails. The caller prepares what the action steps would provide. */
export async function runWorkflow(job: Job, { jobs }: Workflow): Promise<Ran> {
  const { env, steps } = jobs.snapshot
  const ran: Ran = { code: 0, log: '', steps: [] }
  offerNpm(job)
  for (const step of steps) {
    if (!('run' in step)) continue
    const environment = { ...runnerEnvironment(job), ...valuesOf(job, { ...env, ...step.env }) }
    const { code, stdout, stderr } = await runScript(job, step.run, { flags: FLAGS, environment })
    ran.steps.push(step.name)
    ran.log += stdout + stderr
    ran.code = code ?? -1
    if (ran.code !== 0) break
  }
  return ran
}

/** Expands a value that consists of one variable or secret of the repository. */
function valuesOf({ server, collection, copy, key }: Job, env: Record<string, string>): Record<string, string> {
  const known: Record<string, string> = {
    'vars.MEMCTL_SERVER': server.origin,
    'vars.COLLECTION': collection,
    'vars.COPY': copy,
    'secrets.MEMCTL_API_KEY': key
  }
  return Object.fromEntries(
    Object.entries(env).map(([name, text]) => {
      const value = known[/^\$\{\{ ([\w.]+) \}\}$/.exec(text)?.[1] ?? '']
      if (value === undefined) throw new Error(`${name}: ${text} is nothing that is known here`)
      return [name, value]
    })
  )
}
