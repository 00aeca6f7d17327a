import { callHeaders } from './request-headers.ts'

/** Responses to calls that were sent before the code of the app had run, by request. */
const responses = new Map<string, Promise<Response>>()
/** What no call has taken by then is dropped. */
const maxAgeMs = 10_000

/** With the headers, which say for whom a call is. */
const keyOf = (method: string, url: string, payload: string | undefined): string =>
  JSON.stringify([method, url, callHeaders(payload === undefined ? undefined : 'application/json'), payload])

/** Sends a call; the first equal call takes its response, and its errors. */
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

/** Drops the responses that no call has taken: those of a session that has ended are of no other one. */
export const dropEarly = (): void => responses.clear()

/** The response of a call that was sent early, once. */
export function takeEarly(method: string, url: string, payload?: string): Promise<Response> | undefined {
  const key = keyOf(method, url, payload)
  const response = responses.get(key)
  responses.delete(key)
  return response
}
