import type { DerivedProduct } from '#server/derived/derived-product.ts'
import type { GuardedFetch } from '#server/http/guarded-fetch.ts'
import type { Route } from '#server/http/route.ts'
import type { FindViewer } from '#server/http/viewer.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import type { Log } from '#server/jobs/log.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State } from '#server/stores/state.ts'
import { curbEditRoutes } from './edits/routes.ts'
import { type OpenCurbImports, openCurbImports } from './imports/open-curb-imports.ts'
import { curbMapRoutes } from './map/routes.ts'
import { createBandOccupancyReader } from './occupancy/band-occupancy.ts'
import { openCounts, type OpenCounts } from './occupancy/imports/open-counts.ts'
import { createOccupancyProduct } from './occupancy/occupancy-product.ts'
import { occupancyRoutes } from './occupancy/routes.ts'
import { type CurbPayments, openCurbPayments } from './payments/open-curb-payments.ts'
import type { Pricing } from './pricing/proposals/proposal-detail.ts'
import { curbPricingRoutes } from './pricing/routes.ts'
import { regulationRoutes } from './regulations/routes.ts'
import { createCurbHoursProduct } from './sessions/curb-hours-product.ts'
import { CurbSessions } from './sessions/curb-sessions.ts'
import { curbSessionRoutes } from './sessions/routes.ts'
import { CurbIndexes } from './store/curb-index.ts'

interface CurbOptions {
  state: State
  facts: Facts
  jobs: Jobs
  secretBox: SecretBox
  fetch: GuardedFetch
  blobs: BlobStore
  dataDir: string
  publicUrl: string
  log: Log
  now: () => Date
}

/** The services of the curb room: zones and rules, sessions, payments, occupancy and prices. */
export interface Curb {
  indexes: CurbIndexes
  sessions: CurbSessions
  payments: CurbPayments
  imports: OpenCurbImports
  counts: OpenCounts
  pricing: Pricing
  products: readonly DerivedProduct[]
  routes(getViewer: FindViewer): Route[]
}

export function openCurb(options: CurbOptions): Curb {
  const { state, facts, jobs, blobs, dataDir, now } = options
  const stores = { state, facts, nowMs: () => now().getTime() }
  const indexes = new CurbIndexes(state)
  const sessions = new CurbSessions({ ...stores, secretBox: options.secretBox })
  const payments = openCurbPayments({ ...options, indexes })
  const imports = openCurbImports(options)
  const counts = openCounts(options)
  const pricing: Pricing = { state, indexes, readOccupancy: createBandOccupancyReader({ state, facts }) }
  return {
    indexes,
    sessions,
    payments,
    imports,
    counts,
    pricing,
    products: [
      sessions.product(),
      ...payments.products,
      createCurbHoursProduct({ ...stores, indexes }),
      createOccupancyProduct({ ...stores, indexes }),
    ],
    routes: (getViewer) => [
      ...curbSessionRoutes({ state, facts, sessions, indexes, getViewer, now }),
      ...curbMapRoutes({ state, indexes }),
      ...regulationRoutes(state, indexes),
      ...occupancyRoutes({ state, facts, indexes }),
      ...counts.routes,
      ...curbEditRoutes(state),
      ...curbPricingRoutes(pricing),
      ...imports.routes,
      ...payments.routes({ jobs, blobs, dataDir, publicUrl: options.publicUrl }),
    ],
  }
}
