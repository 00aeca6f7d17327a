import { answerWork } from '#server/jobs/start-worker.ts'
import { loadCity } from './load-city.ts'
import { makeTripChunk, type TripChunk, type TripChunkTask } from './store-demo-trips.ts'

/** Makes trips of Port Meridian on a thread of its own while the stores are opened. */
const city = loadCity()
answerWork(
  (task: TripChunkTask): TripChunk => makeTripChunk(city, task),
  ({ rows }) => [rows.buffer as ArrayBuffer],
)
