import { once } from 'node:events'
import { type MessagePort, parentPort } from 'node:worker_threads'
import { readTrips, type ReadTripsTask, type TripChunk } from './read-trips.ts'
import { type FileSurvey, surveyFile, type SurveyTask } from './survey-file.ts'
import { TripFileError } from './trip-file-error.ts'

/** `bytes`: how far the file is read; it is not answered. */
export type ReadTripsMessage =
  | { chunk: TripChunk }
  | { bytes: number }
  | { survey: FileSurvey }
  | { end: true }
  | { problem: string; fault?: string }

/** Reads one file after the other, as tasks come; after each chunk it waits to be told that it was taken. */
async function serveTasks(port: MessagePort): Promise<void> {
  const send = async (chunk: TripChunk): Promise<void> => {
    const taken = once(port, 'message')
    port.postMessage({ chunk } satisfies ReadTripsMessage, [chunk.tripRows.buffer, chunk.keptRows.buffer])
    await taken
  }
  for (;;) {
    const [task] = (await once(port, 'message')) as [ReadTripsTask | { survey: SurveyTask }]
    try {
      if ('survey' in task) {
        const onBytes = (bytes: number): void => port.postMessage({ bytes } satisfies ReadTripsMessage)
        port.postMessage({ survey: await surveyFile(task.survey, onBytes) } satisfies ReadTripsMessage)
        continue
      }
      await readTrips(task, send, (bytes) => port.postMessage({ bytes } satisfies ReadTripsMessage))
      port.postMessage({ end: true } satisfies ReadTripsMessage)
    } catch (error) {
      const problem = error instanceof TripFileError ? error.message : null
      port.postMessage({
        problem: problem ?? 'The file could not be read.',
        ...(problem ? {} : { fault: String((error as Error).stack) }),
      } satisfies ReadTripsMessage)
    }
  }
}

if (parentPort) await serveTasks(parentPort)
