import { handleWork } from '#server/jobs/start-worker.ts'
import { loadCity } from '../load-city.ts'
import { makeRoutes, type RouteLines, type RouteBatch } from './demo-routes.ts'

/** Generates routes of Port Meridian on a separate thread, so that the server stays responsive. */
const city = loadCity()
handleWork(
  (batch: RouteBatch): RouteLines => makeRoutes(city, batch),
  ({ lines }) => [lines.buffer as ArrayBuffer],
)
