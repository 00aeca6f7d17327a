import { once } from 'node:events'
import { type MessagePort, parentPort, type Transferable } from 'node:worker_threads'
import { readTrips, type ReadTripsTask, type TripChunk } from './read-trips.ts'
import { type FileSurvey, surveyFile, type SurveyTask } from '../survey-file.ts'
import { TableFileError } from '#server/table-files/table-file-error.ts'

/** A message of the reader thread. A `chunk` must be acknowledged; `bytes` is the progress. */
export type ReadTripsMessage =
  | { chunk: TripChunk }
  | { bytes: number }
  | { survey: FileSurvey }
  | { end: true }
  | { problem: string; stack?: string }

/**
 * Reads one file after the other. After each chunk it waits for an acknowledgment. The message `stop` ends
 * the current task with an `end` and closes its file.
 */
async function serveTasks(port: MessagePort): Promise<void> {
  const post = (message: ReadTripsMessage, transfer: Transferable[] = []): void =>
    port.postMessage(message, transfer)
  const onBytes = (bytes: number): void => post({ bytes })
  for (;;) {
    const [task] = (await once(port, 'message')) as [ReadTripsTask | { survey: SurveyTask } | 'stop']
    // The task ended before this message arrived.
    if (task === 'stop') continue
    const stopController = new AbortController()
    const handleMessage = (message: 'received' | 'stop'): void => {
      if (message === 'stop') stopController.abort()
    }
    port.on('message', handleMessage)
    const send = async (chunk: TripChunk): Promise<void> => {
      const acknowledgment = once(port, 'message')
      post({ chunk }, [chunk.tripRows.buffer, chunk.retainedRows.buffer])
      await acknowledgment
      stopController.signal.throwIfAborted()
    }
    try {
      if ('survey' in task) post({ survey: await surveyFile(task.survey, onBytes, stopController.signal) })
      else {
        await readTrips(task, send, onBytes, stopController.signal)
        post({ end: true })
      }
    } catch (error) {
      if (stopController.signal.aborted) post({ end: true })
      else if (error instanceof TableFileError) post({ problem: error.message })
      else post({ problem: 'The file could not be read.', stack: String((error as Error).stack) })
    } finally {
      port.off('message', handleMessage)
    }
  }
}

if (parentPort) await serveTasks(parentPort)
