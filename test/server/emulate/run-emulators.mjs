import { createEmulator } from 'emulate'

/**
 * Starts the emulators of Google and Slack (https://github.com/vercel-labs/emulate) on free ports, and prints their addresses as
 * JSON. Ends with its stdin. The first argument is a JSON object with the seed of each.
 */
const seeds = JSON.parse(process.argv[2] ?? '{}')
const [google, slack] = await Promise.all(
  ['google', 'slack'].map((service) => createEmulator({ service, port: 0, seed: seeds[service] ?? {} }))
)
process.stdout.write(`${JSON.stringify({ google: google.url, slack: slack.url })}\n`)
process.stdin.on('end', () => process.exit(0)).resume()
