import { answerWork } from '#server/jobs/start-worker.ts'
import { makePaymentFile, type PaymentFileAsked } from './payment-files.ts'

/** Makes files of payments on a thread of its own while the server answers. */
answerWork(
  (asked: PaymentFileAsked): Uint8Array => makePaymentFile(asked),
  ({ buffer }) => [buffer as ArrayBuffer],
)
