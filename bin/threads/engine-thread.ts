/** The program of an engine thread. */

import { serveThread } from '../node/threads/serve-thread.ts'
import { engineMain } from './engine-main.ts'

serveThread(engineMain)
