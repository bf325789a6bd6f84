import { isMainThread } from 'node:worker_threads'
import { serveChild, watchOver } from '../../../bin/node/threads/serve-child.ts'

/** A program for the tests of child processes: says what it was given, and works without end. */
if (isMainThread)
  serveChild(() => ({
    ready: () => 'ready',
    variables: () => Object.keys(process.env),
    spin: () => {
      for (;;);
    }
  }))
else watchOver()
