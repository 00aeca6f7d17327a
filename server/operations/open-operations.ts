import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { getServerStatus } from '#contract/server-status.ts'
import type { Compliance } from '#server/compliance/days/find-records.ts'
import type { Config } from '#server/config.ts'
import type { Derivation } from '#server/derived/derivation.ts'
import { type Route, route } from '#server/http/route.ts'
import type { FindViewer } from '#server/http/viewer.ts'
import type { Auth } from '#server/identity/auth.ts'
import { createAdministrator } from '#server/identity/create-administrator.ts'
import { systemScope } from '#server/identity/scope.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import type { Log } from '#server/jobs/log.ts'
import type { LiveFleet } from '#server/live/live-fleet.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import type { Facts } from '#server/stores/facts.ts'
import { publishServerEvent } from '#server/notifications/events/publish-event.ts'
import type { State } from '#server/stores/state.ts'
import { Backups, presentBackup } from './backup/backups.ts'
import { type ControlCommands, openControlServer } from './control/control-server.ts'
import { createComponentChecks, healthRoutes } from './health/checks.ts'
import { createMetricCollector } from './health/collect-metrics.ts'
import { Readiness } from './health/readiness.ts'
import { servePrometheus } from './health/serve-prometheus.ts'
import { retentionRoutes } from './retention/manage-retention.ts'
import { RetentionRuns } from './retention/retention-runs.ts'
import { readServerStatus } from './server-status.ts'
import { readMigrationPlan } from './upgrade/migration-plan.ts'

export interface OperationsOptions {
  config: Config
  http: FastifyInstance
  getViewer: FindViewer
  state: State
  facts: Facts
  blobs: BlobStore
  auth: Auth
  compliance: Compliance
  jobs: Jobs
  derivation: Derivation
  live: LiveFleet
  log: Log
  now: () => Date
}

/** Monitoring and administration: readiness, metrics, status, backups, retention and commands. */
export interface Operations {
  routes: Route[]
  readiness: Readiness
  backups: Backups
  retention: RetentionRuns
  /** Opens the port of `/metrics`, if it is separate, and the port of commands. */
  listen(): Promise<void>
  close(): Promise<void>
}

const AdministratorInput = z.object({
  email: z.string(),
  name: z.string(),
  organization: z.string().nullable(),
})
const MakeBackupInput = z.object({ increment: z.boolean().default(false) })
const VerifyBackupInput = z.object({ name: z.string().nullable() })
/** A removal of rows checks at this interval whether their sums are derived. */
const sumsWaitMs = 4000

export function openOperations(options: OperationsOptions): Operations {
  const { config, http, getViewer, state, facts, log, now } = options
  const readiness = new Readiness(createComponentChecks(options), () => now().getTime())
  const backups = new Backups({
    ...options,
    onFailure: (job) => publishServerEvent(state, 'backup.failed', { job }, now()),
  })
  const retentionOptions = { ...options, pause: () => wait(sumsWaitMs) }
  const metricCollector = createMetricCollector({
    ...options,
    folders: { data: config.dataDir, backups: config.backups.directory },
    backups: () => backups.getTimes(),
    nowMs: () => now().getTime(),
  })
  const collectMetrics = async (): Promise<void> => {
    await Promise.all([metricCollector.collect(), readiness.read()])
  }
  const prometheus = servePrometheus(http, config, collectMetrics)
  const sources = { config, state, facts, readiness, backups }
  const commands: ControlCommands = {
    status: () => readServerStatus(sources, systemScope, now()),
    backup: async (input) => presentBackup(await backups.make(MakeBackupInput.parse(input).increment)),
    verify: (input, signal) => backups.verify(VerifyBackupInput.parse(input).name, signal),
    'migration-plan': () => readMigrationPlan(state, facts),
    'create-administrator': (input) => createAdministrator(options, AdministratorInput.parse(input), now()),
  }
  let controlServer: { close: () => Promise<void> } | null = null
  return {
    routes: [
      ...healthRoutes(readiness, config.metricsToken, getViewer),
      ...retentionRoutes(retentionOptions, options.jobs),
      route(getServerStatus, ({ viewer, at }) => readServerStatus(sources, viewer.scope, at)),
    ],
    readiness,
    backups,
    retention: new RetentionRuns(retentionOptions),
    async listen() {
      await prometheus.listen()
      controlServer = await openControlServer(config.dataDir, commands, log)
    },
    async close() {
      metricCollector.close()
      await controlServer?.close()
      await prometheus.close()
    },
  }
}
