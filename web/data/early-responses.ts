import { callHeaders } from './request-headers.ts'

/** Responses to calls that were sent before the code of the app had run, by request. */
const responses = new Map<string, Promise<Response>>()
/** What no call has taken by then is dropped. */
const maxAgeMs = 10_000

const keyOf = (method: string, url: string, payload = ''): string => `${method} ${url} ${payload}`

/** Sends a call whose response the first equal one takes. Errors belong to that call. */
export function sendEarly(method: 'GET' | 'POST', url: string, body?: object): void {
  const payload = body && JSON.stringify(body)
  const key = keyOf(method, url, payload)
  const response = fetch(url, {
    method,
    headers: callHeaders(body && 'application/json'),
    body: payload ?? null,
    credentials: 'same-origin',
  })
  response.catch(() => undefined)
  responses.set(key, response)
  setTimeout(() => responses.delete(key), maxAgeMs)
}

/** The response of a call that was sent early, once. */
export function takeEarly(method: string, url: string, payload?: string): Promise<Response> | undefined {
  const key = keyOf(method, url, payload)
  const response = responses.get(key)
  responses.delete(key)
  return response
}
