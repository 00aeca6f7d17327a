import type { EndpointOutput, Endpoint } from '#contract/endpoint.ts'
import { isMedia } from '#contract/endpoint.ts'
import { endpointUrl, type EndpointInput } from './endpoint-url.ts'
import { abortedText, ApiError } from './api-error.ts'
import { expectedApiVersion, hasVersionMismatch, sessionEnd, isServerUnreachable } from './signals.ts'
import { dropEarly, takeEarly } from './early-responses.ts'
import { getCallHeaders } from './request-headers.ts'
import { sendWithProgress, type RawResponse } from './send-with-progress.ts'

/** Options of a call besides its input. */
export interface CallOptions {
  signal?: AbortSignal
  /** Called with the share of the body that was sent, 0 to 1. */
  onProgress?: (share: number) => void
}

/** Calls one endpoint of the server with the session cookie. Never retries. Throws an ApiError. */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: EndpointInput<E>,
  options: CallOptions = {},
): Promise<EndpointOutput<E>> {
  const url = endpointUrl(endpoint, input)
  const body = (input as { body?: unknown }).body
  const createError = (
    status: number,
    statusText: string,
    responseBody: unknown,
    message?: string,
  ): ApiError =>
    new ApiError(
      {
        url,
        method: endpoint.method,
        status,
        statusText,
        body: responseBody,
        request: isMedia(endpoint.request.body) ? null : body,
      },
      message,
    )
  let rawResponse: RawResponse
  try {
    rawResponse = await fetchResponse(endpoint, url, body, options)
    isServerUnreachable.write(false)
  } catch (error) {
    if (isAbort(error)) throw createError(0, abortedText, null, abortedText)
    isServerUnreachable.write(true)
    throw createError(
      0,
      'No response',
      null,
      'The server did not respond. Check the connection and try again.',
    )
  }
  if (rawResponse.version !== null && rawResponse.version !== expectedApiVersion)
    hasVersionMismatch.write(true)
  if (rawResponse.status < 400 && isMedia(endpoint.response))
    return (await rawResponse.bytes()) as EndpointOutput<E>
  const parsed = parseJson(await rawResponse.text())
  if (rawResponse.status < 400) return parsed as EndpointOutput<E>
  const error = createError(rawResponse.status, rawResponse.statusText, parsed)
  // The session has ended. What the browser has stored about the user is retained for the next sign-in.
  if (rawResponse.status === 401) {
    dropEarly()
    sessionEnd.write({ reason: 'expired' })
  }
  if (rawResponse.status === 403 && isUserRejected(error)) sessionEnd.write({ reason: 'refused' })
  throw error
}

/** Sends a call. Errors of the network and of the server become an ApiError. */
async function fetchResponse(
  endpoint: Endpoint,
  url: string,
  body: unknown,
  options: CallOptions,
): Promise<RawResponse> {
  const media = isMedia(endpoint.request.body) ? endpoint.request.body.media : 'application/json'
  const headers = getCallHeaders(body === undefined ? undefined : media)
  const serialize = (): Blob | string =>
    isMedia(endpoint.request.body) ? (body as Blob) : JSON.stringify(body)
  const payload = body === undefined ? undefined : serialize()
  if (options.onProgress && payload !== undefined)
    return sendWithProgress({ method: endpoint.method, url, headers, payload, ...options })
  const earlyResponse = typeof payload === 'object' ? undefined : takeEarly(endpoint.method, url, payload)
  const response = await (earlyResponse ??
    fetch(url, {
      method: endpoint.method,
      headers,
      body: payload ?? null,
      credentials: 'same-origin',
      signal: options.signal ?? null,
    }))
  return {
    status: response.status,
    statusText: response.statusText,
    version: response.headers.get('x-api-version'),
    bytes: async () => new Uint8Array(await response.arrayBuffer()),
    text: () => response.text(),
  }
}

const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'

/** Whether a response with status 403 signs the user out. Legacy calls also use another message. */
function isUserRejected({ body, url }: ApiError): boolean {
  const bodyText = JSON.stringify(body ?? '')
  return (
    bodyText.includes('Invalid user') ||
    (url.startsWith('/apipy/') && bodyText.includes('Could not validate credentials'))
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
