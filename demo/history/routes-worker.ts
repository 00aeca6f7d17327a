import { answerWork } from '#server/jobs/start-worker.ts'
import { loadCity } from '../load-city.ts'
import { makeRoutes, type MadeRoutes, type RouteBatch } from './demo-routes.ts'

/** Makes routes of Port Meridian on a thread of its own while the server answers. */
const city = loadCity()
answerWork(
  (batch: RouteBatch): MadeRoutes => makeRoutes(city, batch),
  ({ lines }) => [lines.buffer as ArrayBuffer],
)
