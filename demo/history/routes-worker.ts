import { serveWorker } from '#server/jobs/start-worker.ts'
import { loadCity } from '../load-city.ts'
import { makeRoutes, type RouteLines, type RouteBatch } from './demo-routes.ts'

const city = loadCity()

// Generates routes of Port Meridian on a separate thread, so that the server stays responsive.
serveWorker(
  (batch: RouteBatch): RouteLines => makeRoutes(city, batch),
  ({ lines }) => [lines.buffer as ArrayBuffer],
)
