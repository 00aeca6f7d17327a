import { answerWork } from '#server/jobs/start-worker.ts'
import { type CurbDays, type CurbRows, makeCurbRows } from './curb-rows.ts'

/** Makes the past of the curb on a thread of its own while the server answers. */
answerWork(
  (days: CurbDays): CurbRows => makeCurbRows(days),
  ({ events, sessions }) => [events.buffer as ArrayBuffer, sessions.buffer as ArrayBuffer],
)
