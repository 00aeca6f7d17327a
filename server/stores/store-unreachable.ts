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
/** SQLSTATE codes: PostgreSQL stops, has crashed, is starting, has no free connections, or is cut off. */
const postgresCodes = new Set(['57P01', '57P02', '57P03', '53300', '08000', '08003', '08006', '08001'])
const networkPattern =
  /ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENOTFOUND|ETIMEDOUT|socket hang up|Timeout error|Connection terminated|timeout exceeded when trying to connect/

/** Returns whether an error means that the server of a store is unreachable, so that a retry may succeed. */
export function isStoreUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  // Errors that ClickHouse itself reports have a code.
  if (error instanceof FactError) return !error.code && networkPattern.test(error.message)
  if (typeof code === 'string' && (networkCodes.has(code) || postgresCodes.has(code))) return true
  if (error instanceof AggregateError) return error.errors.some(isStoreUnreachable)
  return networkPattern.test(error.message)
}
