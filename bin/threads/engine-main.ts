import type { IndexLimits } from '../../server/recall/collections/held-indexes.ts'
import { createEngineHandlers } from '../../server/recall/create-engine-handlers.ts'
import type { ThreadMain } from '../../src/ports.ts'
import { nodeAssets } from '../node/node-assets.ts'
import { nodeFiles } from '../node/node-files.ts'
import { nodeFolders } from '../node/node-folders.ts'
import { nodeIds } from '../node/node-ids.ts'

/** The main function of the server's engine threads. */
export const engineMain: ThreadMain = (limits: IndexLimits) =>
  createEngineHandlers({ assets: nodeAssets, files: nodeFiles, ids: nodeIds, folder: nodeFolders().temporary }, limits)
