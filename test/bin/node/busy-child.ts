import { isMainThread } from 'node:worker_threads'
import { serveChild, watchOver } from '../../../bin/node/threads/serve-child.ts'

/** A program for tests of child processes: reports what it was given, and works without end. */
if (isMainThread)
  serveChild(() => ({
    ready: () => 'ready',
    variables: () => Object.keys(process.env),
    spin: () => {
      for (;;);
    }
  }))
else watchOver()
