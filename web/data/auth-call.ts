import { ApiError } from './api-error.ts'

// Sign-in belongs to better-auth, whose addresses are not of our contract. Called by hand: the contract's schemas would double the sign-in page.
const authPrefix = '/api/auth'

/** Posts to a call of the sign-in, below /api/auth. Throws ApiError, whose body has the error's `code`. */
export async function authCall<T = unknown>(path: string, body: object = {}): Promise<T> {
  const url = `${authPrefix}${path}`
  // What was sent is no part of the error: it holds passwords and codes.
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
    throw new ApiError({ ...failure, status: 0, statusText: 'No answer', body: null })
  }
  const answer: unknown = await response.json().catch(() => null)
  if (!response.ok)
    throw new ApiError({ ...failure, status: response.status, statusText: response.statusText, body: answer })
  return answer as T
}

/** The code of an error of these calls; null where there is none. */
export function authErrorCode(error: unknown): string | null {
  const body: unknown = error instanceof ApiError ? error.body : null
  return typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string'
    ? body.code
    : null
}
