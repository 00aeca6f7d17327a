import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { getErrorMessage } from '#contract/problem-text.ts'
import type { ApiKeys } from './api-keys/open-api-keys.ts'
import type { OpenAlerts } from './compliance/alerts/open-alerts.ts'
import type { Config } from './config.ts'
import type { Curb } from './curb/open-curb.ts'
import type { Derivation } from './derived/derivation.ts'
import type { OpenFeeds } from './feeds/open-feeds.ts'
import type { FleetIngest } from './fleet/events/fleet-ingest.ts'
import type { Dependents } from './geography/dependents/dependents.ts'
import type { LayerMembership } from './geography/membership/layer-membership.ts'
import type { OpenHealth } from './health/open-health.ts'
import type { Auth } from './identity/auth.ts'
import { releaseLeases } from './imports/import-queue.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Log } from './jobs/log.ts'
import type { StartupLog } from './jobs/startup-log.ts'
import type { Notifications } from './notifications/open-notifications.ts'
import { openPlatform, type Platform } from './open-platform.ts'
import { openRooms, type Rooms } from './open-rooms.ts'
import type { Operations } from './operations/open-operations.ts'
import type { ReportSchedules } from './reporting/schedules/open-report-schedules.ts'
import { fleetJob, listJobs } from './schedule.ts'
import { type HttpServer, serveRooms, type ShownSignIn } from './serve-rooms.ts'
import type { BlobStore } from './stores/blobs/blob-store.ts'
import type { Facts } from './stores/facts.ts'
import type { State } from './stores/state.ts'

/** The opened application. Its HTTP server does not listen yet. */
export interface App {
  startup: StartupLog
  http: FastifyInstance
  state: State
  facts: Facts
  blobs: BlobStore
  auth: Auth
  jobs: Jobs
  membership: LayerMembership
  dependents: Dependents
  fleetIngest: FleetIngest
  feeds: OpenFeeds
  health: OpenHealth
  alerts: OpenAlerts
  reportSchedules: ReportSchedules
  notifications: Notifications
  /** The runner of derived data. */
  derivation: Derivation
  curb: Curb
  operations: Operations
  apiKeys: ApiKeys
  close(): Promise<void>
}

/** Options of a server with the demo city. */
interface Demo {
  signIns?: readonly ShownSignIn[]
  /** Origins of the demo's operators on this machine, which feeds may fetch. */
  ownOrigins?: readonly string[]
}

/** Opens the stores and all rooms, and registers their routes and jobs. */
export async function openApp(
  config: Config,
  webRoot: string,
  log: Log,
  { signIns = [], ownOrigins = [] }: Demo = {},
): Promise<App> {
  const platform = await openPlatform(config, log)
  const rooms = await openRooms(platform, { ownOrigins })
  const server = await serveRooms(platform, rooms, { webRoot, signIns })
  // Must come before `jobs.start`: leases that a running job has taken must not be freed.
  if (platform.isAlone) await releaseLeases(platform.state)
  await addJobs(platform, rooms, server)
  platform.jobs.start([fleetJob])
  return {
    startup: platform.startup,
    http: server.http,
    state: platform.state,
    facts: platform.facts,
    blobs: platform.blobs,
    auth: platform.auth,
    jobs: platform.jobs,
    membership: platform.membership,
    dependents: rooms.dependents,
    fleetIngest: rooms.fleetIngest,
    feeds: rooms.feeds,
    health: rooms.health,
    alerts: rooms.alerts,
    reportSchedules: rooms.reportSchedules,
    notifications: rooms.notifications,
    derivation: platform.derivation,
    curb: rooms.curb,
    operations: server.operations,
    apiKeys: rooms.apiKeys,
    close: () => closeApp(platform, rooms, server),
  }
}

const addJobs = (platform: Platform, rooms: Rooms, { operations, readAhead }: HttpServer): Promise<void> =>
  platform.jobs.add(
    ...listJobs({
      state: platform.state,
      facts: platform.facts,
      blobs: platform.blobs,
      jobs: platform.jobs,
      ahead: readAhead,
      feeds: rooms.feeds,
      derivation: platform.derivation,
      health: rooms.health,
      compliance: rooms.compliance,
      alerts: rooms.alerts,
      notifications: rooms.notifications,
      reportSchedules: rooms.reportSchedules,
      exports: rooms.exports,
      curb: rooms.curb,
      backups: operations.backups,
      retention: operations.retention,
      apiKeys: rooms.apiKeys,
      log: platform.log,
      now: platform.now,
    }),
  )

/** When the server stops, running HTTP calls have this long to complete. */
const httpGraceMs = 3000
/** When the server stops, background work has this long to complete. Then its fact queries are killed. */
const backgroundGraceMs = 4000

/** Ends all work within the time that a shutdown may take, then closes the stores. */
async function closeApp(
  { log, state, facts, jobs, derivation, background, closeTraces }: Platform,
  { live, feeds, fleetIngest, apiKeys }: Rooms,
  { http, operations }: HttpServer,
): Promise<void> {
  operations.readiness.drain()
  // Ends the streams of the live map, for which `http.close` would wait.
  live.close()
  // Closing the connections also aborts the queries of their calls.
  const timer = setTimeout(() => http.server.closeAllConnections(), httpGraceMs)
  const server = http.close().then(() => clearTimeout(timer))
  // Stopped in parallel: each may wait for a fact query, and a shutdown must not exceed ten seconds.
  const work = [
    server,
    operations.backups.settled(),
    feeds.stop(),
    derivation.stop(),
    background.settled(),
    jobs.stop(),
  ]
  const stopped = Promise.allSettled(work)
    .then(() => fleetIngest.close())
    .catch((error: unknown) => log('fleet ingest could not be closed', { error: getErrorMessage(error) }))
  await Promise.race([stopped, wait(backgroundGraceMs, undefined, { ref: false })])
  // Kills running queries. Their work fails and is repeated after the next start.
  await facts.close()
  await stopped
  await operations.close()
  await apiKeys
    .close()
    .catch((error: unknown) => log('API keys could not be closed', { error: getErrorMessage(error) }))
  await state.close()
  await closeTraces?.()
}
