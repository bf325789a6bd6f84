/** What a thread of the engine runs. */

import { serveThread } from '../node/threads/serve-thread.ts'
import { engineMain } from './engine-main.ts'

serveThread(engineMain)
