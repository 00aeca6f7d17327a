import { ApiError } from './api-error.ts'

// Sign-in is handled by better-auth, which has no endpoints in our contract. fetch is called directly,
// because the schemas of the contract would double the size of the sign-in page.
const authPrefix = '/api/auth'

/** Posts to an endpoint below /api/auth. Throws an ApiError; its body has the `code` of the error. */
export async function authCall<T = unknown>(path: string, body: object = {}): Promise<T> {
  const url = `${authPrefix}${path}`
  // The error does not include the request, which contains passwords and codes.
  const failure = { url, method: 'POST', request: null }
  let response: Response
  try {
    response = await fetch(url, {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  } catch {
    throw new ApiError({ ...failure, status: 0, statusText: 'No response', body: null })
  }
  const responseBody: unknown = await response.json().catch(() => null)
  if (!response.ok)
    throw new ApiError({
      ...failure,
      status: response.status,
      statusText: response.statusText,
      body: responseBody,
    })
  return responseBody as T
}

/** Returns the error code of a failed `authCall`; null for other errors. */
export function getAuthErrorCode(error: unknown): string | null {
  const body: unknown = error instanceof ApiError ? error.body : null
  return typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string'
    ? body.code
    : null
}
