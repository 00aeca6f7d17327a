import { ApiError } from './api-error.ts'

// Calls fetch directly, because the schemas of the contract would double the size of the sign-in page.
async function getJson<T>(url: string): Promise<T> {
  const failure = { url, method: 'GET', request: null }
  const response = await fetch(url, { credentials: 'same-origin' }).catch(() => {
    throw new ApiError({ ...failure, status: 0, statusText: 'No response', body: null })
  })
  const body: unknown = await response.json().catch(() => null)
  if (!response.ok)
    throw new ApiError({ ...failure, status: response.status, statusText: response.statusText, body })
  return body as T
}

/** The provider through which the user of this browser signed in. */
export interface SessionProvider {
  provider_id: string
  name: string
  email: string
}

/** Finds the provider of an issuer. The detail of an error starts with its code. */
export const findOidcProvider = (issuer: string): Promise<{ gidp_provider_id: string; name: string }> =>
  getJson(`/v2/config/oidc?${new URLSearchParams({ oidc_issuer_url: issuer })}`)

/** Finds the provider through which the user signed in. */
export const findSessionProvider = (): Promise<SessionProvider> => getJson('/api/sso/entered')

/** Returns the URL that starts a sign-in; the server finds the provider by id or by the domain of `login_hint`. */
export function getSsoStartUrl(params: {
  provider_id?: string
  login_hint?: string
  origin?: string
}): string {
  const entries = Object.entries(params).filter(
    (entry): entry is [string, string] => Boolean(entry[1]) && !(entry[0] === 'origin' && entry[1] === '/'),
  )
  return `/api/sso/start?${new URLSearchParams(entries)}`
}
