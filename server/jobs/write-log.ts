import { AsyncLocalStorage } from 'node:async_hooks'
import type { Log } from './log.ts'

const requestIds = new AsyncLocalStorage<string>()

/** Runs a function, and everything it awaits, as part of a request; its log lines carry the request's id. */
export const runWithRequestId = <Result>(id: string, run: () => Result): Result => requestIds.run(id, run)

/** Fields that never reach the log, whatever a caller passes. */
const secretFieldPattern =
  /(^|_|-)(token|secret|password|passphrase|authorization|cookie|plate|license_plate|lat|lon|lng|latitude|longitude|coordinates|geometry|location)(_|-|$)/i
const redacted = '…'

/** Patterns of credentials, tokens and coordinates in texts, such as URLs, with their replacements. */
const secretTexts: readonly [RegExp, string][] = [
  [/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${redacted}`],
  [/(\w+:\/\/)[^\s/@:]+:[^\s/@]+@/g, `$1${redacted}@`],
  [
    /\b(access_token|token|api_key|apikey|key|password|secret|lat|lon|lng|latitude|longitude|plate)=[^\s&"']+/gi,
    `$1=${redacted}`,
  ],
]

const redactText = (text: string): string =>
  secretTexts.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text)

/** Converts camel case to snake case, so that `accessToken` matches `secretFieldPattern`. */
const toSnakeCase = (name: string): string => name.replaceAll(/([a-z])([A-Z])/g, '$1_$2')

/** Returns a value of a log line without secrets, plates and locations. */
export function redact(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value)
  if (Array.isArray(value)) return value.map(redact)
  if (value instanceof Error) return redactText(value.stack ?? value.message)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      secretFieldPattern.test(toSnakeCase(name)) ? redacted : redact(field),
    ]),
  )
}

/** Lines with a complete message, logged because no service to send it is configured; not redacted. */
const messageLines: readonly string[] = ['mail', 'text message']

/** Creates a log that writes JSON lines with time and request id. */
export const createLog =
  (write: (text: string) => void, now: () => Date): Log =>
  (line, details = {}) => {
    const requestId = requestIds.getStore()
    write(
      JSON.stringify({
        at: now().toISOString(),
        line,
        ...(requestId === undefined ? {} : { request_id: requestId }),
        ...(messageLines.includes(line) ? details : (redact(details) as object)),
      }),
    )
  }
