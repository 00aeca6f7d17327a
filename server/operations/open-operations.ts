import type { FastifyInstance } from 'fastify'
import type { Config } from '#server/config.ts'
import type { Route } from '#server/http/route.ts'
import type { FindViewer } from '#server/http/viewer.ts'
import { componentChecks, healthRoutes } from './health/checks.ts'
import { metricCollector, type MetricSources } from './health/collect-metrics.ts'
import { Readiness } from './health/readiness.ts'
import { serveMetrics } from './health/serve-metrics.ts'

export interface OperationsOptions extends Omit<MetricSources, 'folders' | 'backups'> {
  config: Config
  http: FastifyInstance
  viewerOf: FindViewer
}

/** What those who run the server watch and do: readiness, metrics. */
export interface Operations {
  routes: Route[]
  readiness: Readiness
  /** Opens the port of `/metrics`, if it has one. */
  listen(): Promise<void>
  close(): Promise<void>
}

export function openOperations(options: OperationsOptions): Operations {
  const { config, http, viewerOf, now } = options
  const readiness = new Readiness(componentChecks(options), now)
  const collector = metricCollector({
    ...options,
    folders: { data: config.dataDir, backups: config.backups.directory },
    backups: () => Promise.resolve({ success: 0, verified: 0 }),
  })
  const collect = async (): Promise<void> => {
    await Promise.all([collector.collect(), readiness.read()])
  }
  const endpoint = serveMetrics(http, config, collect)
  return {
    routes: healthRoutes(readiness, config.metricsToken, viewerOf),
    readiness,
    listen: endpoint.listen,
    async close() {
      collector.close()
      await endpoint.close()
    },
  }
}
