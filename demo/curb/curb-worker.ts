import { handleWork } from '#server/jobs/start-worker.ts'
import { type CurbDays, type CurbRows, makeCurbRows } from './curb-rows.ts'

/** Generates the history of the curb on a separate thread, so that the server stays responsive. */
handleWork(
  (days: CurbDays): CurbRows => makeCurbRows(days),
  ({ events, sessions }) => [events.buffer as ArrayBuffer, sessions.buffer as ArrayBuffer],
)
