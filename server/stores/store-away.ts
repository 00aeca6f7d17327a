import { FactError } from './engine.ts'

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
/** PostgreSQL is shutting down, crashed, starting up, or has no more connections. */
const postgresCodes = new Set(['57P01', '57P02', '57P03', '53300', '08000', '08003', '08006', '08001'])
const networkPattern =
  /ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENOTFOUND|ETIMEDOUT|socket hang up|Timeout error|Connection terminated|timeout exceeded when trying to connect/

/** Whether an error of a store means that its server cannot be reached, so that the same call may work later. */
export function isStoreAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  // Errors of ClickHouse itself have a number.
  if (error instanceof FactError) return !error.code && networkPattern.test(error.message)
  if (typeof code === 'string' && (networkCodes.has(code) || postgresCodes.has(code))) return true
  if (error instanceof AggregateError) return error.errors.some(isStoreAway)
  return networkPattern.test(error.message)
}
