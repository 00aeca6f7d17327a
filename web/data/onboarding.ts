import type { EndpointOutput } from '#contract/endpoint.ts'
import type { getOnboardingLink } from '#contract/users.ts'
import { ApiError } from './api-error.ts'

/**
 * Finds the URL at which an invited user chooses a password; null if the invitation has expired or never
 * existed. Calls fetch directly, like all calls before sign-in, to avoid the schemas of the contract.
 */
export async function findOnboarding(uuid: string): Promise<EndpointOutput<typeof getOnboardingLink> | null> {
  const url = `/v2/users/get_user_onboarding_link/${encodeURIComponent(uuid)}`
  const failure = { url, method: 'GET', request: null }
  let response: Response
  try {
    response = await fetch(url, { headers: { 'accept-language': 'en' } })
  } catch {
    throw new ApiError(
      { ...failure, status: 0, statusText: 'No response', body: null },
      'The server did not respond. Check the connection and try again.',
    )
  }
  // Always read the body: an unread response blocks its connection.
  const body: unknown = await response.json().catch(() => null)
  // An invalid uuid (422) is not an invitation either.
  if (response.status === 404 || response.status === 422) return null
  if (!response.ok)
    throw new ApiError({ ...failure, status: response.status, statusText: response.statusText, body })
  return body as EndpointOutput<typeof getOnboardingLink>
}
