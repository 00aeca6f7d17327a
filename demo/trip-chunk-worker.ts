import { handleWork } from '#server/jobs/start-worker.ts'
import { loadCity } from './load-city.ts'
import { makeTripChunk, type TripChunk, type TripChunkTask } from './store-demo-trips.ts'

/** Generates trips of Port Meridian on a separate thread while the stores are opened. */
const city = loadCity()
handleWork(
  (task: TripChunkTask): TripChunk => makeTripChunk(city, task),
  ({ rows }) => [rows.buffer as ArrayBuffer],
)
