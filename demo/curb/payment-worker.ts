import { handleWork } from '#server/jobs/start-worker.ts'
import { makePaymentFile, type PaymentFileTask } from './payment-files.ts'

/** Generates payment files on a separate thread, so that the server stays responsive. */
handleWork(
  (task: PaymentFileTask): Uint8Array => makePaymentFile(task),
  ({ buffer }) => [buffer as ArrayBuffer],
)
