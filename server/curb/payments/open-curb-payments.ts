import type { Job } from '#server/jobs/job.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import type { Log } from '#server/jobs/log.ts'
import type { DerivedProduct } from '#server/derived/derived-product.ts'
import type { Route } from '#server/http/route.ts'
import { createVersionCounter, type Facts } from '#server/stores/facts.ts'
import type { BlobStore } from '#server/stores/blobs/blob-store.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State } from '#server/stores/state.ts'
import { openHashKeys } from '../hash-vehicle.ts'
import type { CurbIndexes } from '../store/curb-index.ts'
import { PushedPayments } from './push-payments.ts'
import { paymentRoutes } from './routes.ts'
import { hasDuePayments, paymentImportsJob, createPaymentImportsJob } from './run-payment-imports.ts'
import { createPaymentSessionsProduct } from './stitch/payment-sessions-product.ts'
import { createPaymentSumsProduct } from './sums/payment-sums-product.ts'

interface CurbPaymentsOptions {
  state: State
  facts: Facts
  indexes: CurbIndexes
  blobs: BlobStore
  secretBox: Pick<SecretBox, 'derive'>
  log: Log
  now: () => Date
}

/** Parking payments: pushes, imports and their derived products. */
export interface CurbPayments {
  pushed: PushedPayments
  products: DerivedProduct[]
  job: Job
  /** Continues imports that were left unfinished when a server stopped. */
  resume(jobs: Pick<Jobs, 'send'>): Promise<void>
  routes(options: { jobs: Pick<Jobs, 'send'>; blobs: BlobStore; dataDir: string; publicUrl: string }): Route[]
}

export function openCurbPayments({
  state,
  facts,
  indexes,
  blobs,
  secretBox,
  log,
  now,
}: CurbPaymentsOptions): CurbPayments {
  const nextVersion = createVersionCounter(() => now().getTime())
  const paymentKey = openHashKeys(secretBox).paymentKey
  const publishing = { state, facts, blobs, nextVersion, now, paymentKey, log }
  return {
    pushed: new PushedPayments(publishing),
    products: [
      createPaymentSessionsProduct({ state, facts, nextVersion, nowMs: () => now().getTime() }),
      createPaymentSumsProduct({ facts, nextVersion }),
    ],
    job: createPaymentImportsJob(publishing),
    async resume(jobs) {
      if (await hasDuePayments({ state, now })) await jobs.send(paymentImportsJob, {})
    },
    routes: (options) => paymentRoutes({ ...publishing, ...options, indexes }),
  }
}
