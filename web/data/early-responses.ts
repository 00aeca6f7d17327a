import { getCallHeaders } from './request-headers.ts'

/** Responses to calls that were sent before the app had loaded, by request. */
const responses = new Map<string, Promise<Response>>()
/** Unused responses are dropped after this time. */
const maxAgeMs = 10_000

/** The key includes the headers, which identify an impersonated user. */
const getKey = (method: string, url: string, payload: string | undefined): string =>
  JSON.stringify([
    method,
    url,
    getCallHeaders(payload === undefined ? undefined : 'application/json'),
    payload,
  ])

/** Sends a call; the first equal call of the app gets its response or error. */
export function sendEarly(method: 'GET' | 'POST', url: string, body?: object): void {
  const payload = body && JSON.stringify(body)
  const key = getKey(method, url, payload)
  const response = fetch(url, {
    method,
    headers: getCallHeaders(body && 'application/json'),
    body: payload ?? null,
    credentials: 'same-origin',
  })
  response.catch(() => undefined)
  responses.set(key, response)
  setTimeout(() => responses.delete(key), maxAgeMs)
}

/** Drops all unused responses, because they must not be used in another session. */
export const dropEarly = (): void => responses.clear()

/** Takes the response of a call that was sent early; undefined if there is none or it has been taken. */
export function takeEarly(method: string, url: string, payload?: string): Promise<Response> | undefined {
  const key = getKey(method, url, payload)
  const response = responses.get(key)
  responses.delete(key)
  return response
}
