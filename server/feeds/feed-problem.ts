import { FetchRefused } from '#server/http/guarded-fetch.ts'
import { UnreadableBody } from './adapters/adapter.ts'

/** The reason why a feed cannot be read, for its administrator and without secrets. */
export class FeedProblem extends Error {
  override name = 'FeedProblem'
  readonly status: number | null
  /** The delay that the operator's server requests, ms; null if it requests none. */
  readonly retryAfter: number | null
  constructor(
    message: string,
    { status = null, retryAfter = null }: { status?: number | null; retryAfter?: number | null } = {},
  ) {
    super(message)
    this.status = status
    this.retryAfter = retryAfter
  }
}

/** Messages by the `code` of errors of Node. */
const connectionMessages: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing is listening at this address.',
  ECONNRESET: "The operator's server closed the connection.",
  ENOTFOUND: 'There is no server of this name.',
  EAI_AGAIN: 'The name of the server could not be looked up.',
  ETIMEDOUT: "The operator's server could not be reached in time.",
  EHOSTUNREACH: "The operator's server cannot be reached.",
  CERT_HAS_EXPIRED: "The certificate of the operator's server has expired.",
  DEPTH_ZERO_SELF_SIGNED_CERT:
    "The certificate of the operator's server is not signed by a trusted authority.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The certificate of the operator's server is for another name.",
}

const fetchMessages: Readonly<Record<FetchRefused['code'], string>> = {
  address:
    'The address leads to one that is not public, so it was not requested. PRIVATE_ADDRESSES=on allows private ones.',
  protocol: 'The address, or one that it leads to, does not begin with https://.',
  size: 'The response is larger than 256 MB and was aborted.',
  time: "The operator's server took longer than 60 seconds to respond.",
  redirect: "The operator's server redirects more than 3 times.",
  encoding: 'The response could not be decompressed.',
}

/** Codes of other network and TLS errors of Node, such as `EPIPE` and `SELF_SIGNED_CERT_IN_CHAIN`. */
const networkErrorPattern = /^(E[A-Z]+|ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|SELF_SIGNED|HPE_)/

/** Returns the message of a failed pull; null for internal errors, which are logged. */
export function describeProblem(error: unknown): string | null {
  if (error instanceof FeedProblem) return error.message
  if (error instanceof UnreadableBody) return error.message
  if (error instanceof FetchRefused) return fetchMessages[error.code]
  const code = (error as { code?: unknown } | null)?.code
  if (typeof code !== 'string') return null
  return (
    connectionMessages[code] ??
    (networkErrorPattern.test(code) ? `The operator's server could not be reached (${code}).` : null)
  )
}

/** Returns the message of an unsuccessful status. */
export function describeStatus(status: number): string {
  if (status === 401 || status === 403)
    return `The operator's server refused the request (${status}): check the credentials.`
  if (status === 404) return "The operator's server has nothing at this address (404)."
  if (status === 406) return "The operator's server does not support this version (406)."
  if (status === 429) return "The operator's server limits the number of requests (429)."
  return status >= 500
    ? `The operator's server failed (${status}).`
    : `The operator's server responded with status ${status}.`
}
