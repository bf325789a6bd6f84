/** The program of a thread that reads a part of a snapshot file. */
import { parentPort, workerData } from 'node:worker_threads'
import type { SurveyTask } from '../../src/ports.ts'
import { listTransferables, surveyPart } from '../../src/snapshot/survey.ts'
import { nodeFiles } from '../node/node-files.ts'

const part = surveyPart(nodeFiles, workerData as SurveyTask)
parentPort?.postMessage(part, listTransferables(part))
