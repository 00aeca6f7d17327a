import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/cds-tokens.ts'
import type { KeySettings } from '#server/api-keys/list-keys.ts'
import { type Route, route } from '#server/http/route.ts'
import type { PushedPayments } from '#server/curb/payments/push-payments.ts'
import type { CurbSessions } from '#server/curb/sessions/curb-sessions.ts'
import type { FleetIngest } from '#server/fleet/events/fleet-ingest.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { CurbIndexes } from '#server/curb/store/curb-index.ts'
import { cdsCurbsRoutes } from './cds-curbs-routes.ts'
import { cdsEventsRoutes } from './cds-events-routes.ts'
import { cdsMetricsRoutes } from './cds-metrics-routes.ts'
import { listCdsTokens, createCdsToken, revokeCdsToken } from './cds-tokens.ts'
import { paymentsPushRoute } from './payments-push-route.ts'
import { type CdsServices, serveCds } from './serve-cds.ts'

interface CdsOptions extends CdsServices {
  facts: Facts
  sessions: CurbSessions
  fleetIngest: Pick<FleetIngest, 'store'>
  publicUrl: string
  keySettings: KeySettings
  indexes: CurbIndexes
  pushedPayments: PushedPayments
}

/** Opens the Curbs, Events and Metrics APIs of CDS, payment pushes, and the administration of their API keys. */
export function openCds(options: CdsOptions): { serve: (http: FastifyInstance) => void; routes: Route[] } {
  const { state, publicUrl } = options
  return {
    serve: (http) => {
      serveCds(http, options, 'curbs', cdsCurbsRoutes(options))
      serveCds(http, options, 'events', cdsEventsRoutes(options))
      serveCds(http, options, 'metrics', cdsMetricsRoutes(options))
      serveCds(http, options, 'payments', [paymentsPushRoute(options.pushedPayments)])
    },
    routes: [
      route(contract.listCdsTokens, async ({ viewer, params, at }) => ({
        urls: {
          events: `${publicUrl}/cds/events/${params.region_id}/events/events`,
          metrics: `${publicUrl}/cds/metrics/${params.region_id}/metrics/aggregates`,
          payments: `${publicUrl}/cds/payments/${params.region_id}/payments`,
        },
        items: await listCdsTokens(state, viewer.scope, params.region_id, at),
      })),
      route(contract.makeCdsToken, (call) => createCdsToken(state, call, options.keySettings)),
      route(contract.revokeCdsToken, async (call) => {
        await revokeCdsToken(state, call)
        return { revoked: true }
      }),
    ],
  }
}
