import type { Answer } from '#contract/endpoint.ts'
import type { getDemo } from '#contract/identity.ts'
import { ApiError } from './api-error.ts'

// Sign-in belongs to better-auth, whose addresses are not of our contract.
const auth = '/api/auth'

async function post(path: string, body: object): Promise<void> {
  const url = `${auth}${path}`
  const failure = { url, method: 'POST', request: null }
  let response: Response
  try {
    response = await fetch(url, { method: 'POST', credentials: 'same-origin', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  } catch {
    throw new ApiError({ ...failure, status: 0, statusText: 'No answer', body: null })
  }
  if (response.ok) return
  const answer: unknown = await response.json().catch(() => null)
  throw new ApiError({ ...failure, status: response.status, statusText: response.statusText, body: answer })
}

/** Signs in; the session is a cookie that scripts cannot read. */
export const signIn = (email: string, password: string): Promise<void> => post('/sign-in/email', { email, password })
export const signOut = (): Promise<void> => post('/sign-out', {})

export type Demo = Answer<typeof getDemo>

/** The sign-ins of the demo city; null unless it is on. Called by hand: the contract's schemas would double the sign-in page. */
export async function findDemo(): Promise<Demo | null> {
  const response = await fetch('/internal/demo')
  return response.ok ? ((await response.json()) as Demo) : null
}
