import { ApiError } from './api-error.ts'

// Called by hand: the contract's schemas would double the sign-in page.
async function getJson<T>(url: string): Promise<T> {
  const failure = { url, method: 'GET', request: null }
  const response = await fetch(url, { credentials: 'same-origin' }).catch(() => {
    throw new ApiError({ ...failure, status: 0, statusText: 'No answer', body: null })
  })
  const body: unknown = await response.json().catch(() => null)
  if (!response.ok)
    throw new ApiError({ ...failure, status: response.status, statusText: response.statusText, body })
  return body as T
}

/** A provider that this browser's user came by. */
export interface SessionProvider {
  provider_id: string
  name: string
  email: string
}

/** The provider of an issuer; the detail of a refusal begins with its code. */
export const findOidcProvider = (issuer: string): Promise<{ gidp_provider_id: string; name: string }> =>
  getJson(`/v2/config/oidc?${new URLSearchParams({ oidc_issuer_url: issuer })}`)

/** By which provider the signed-in user came. */
export const findSessionProvider = (): Promise<SessionProvider> => getJson('/api/sso/entered')

/** Where a sign-in begins: the server leads on to the provider, found by id or by the domain of the e-mail. */
export function ssoStartUrl(params: { provider_id?: string; login_hint?: string; origin?: string }): string {
  const entries = Object.entries(params).filter(
    (entry): entry is [string, string] => Boolean(entry[1]) && !(entry[0] === 'origin' && entry[1] === '/'),
  )
  return `/api/sso/start?${new URLSearchParams(entries)}`
}
