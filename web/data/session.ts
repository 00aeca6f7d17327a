import type { EndpointOutput } from '#contract/endpoint.ts'
import type { getDemo } from '#contract/identity.ts'
import { authCall } from './auth-call.ts'
import { dropEarly } from './early-responses.ts'

/** What a sign-in requires after the password: `totp`, `otp` (text message), or an unknown method. */
export interface Challenge {
  methods: readonly string[]
  /** Last digits of the phone that would receive a code. */
  phoneHint: string | null
}

interface SignInResponse {
  twoFactorRedirect?: boolean
  twoFactorMethods?: readonly string[]
  phoneHint?: string | null
}

/** Signs in with an HTTP-only session cookie. Returns the required challenge, or null if signed in. */
export async function signIn(email: string, password: string): Promise<Challenge | null> {
  const response = await authCall<SignInResponse | null>('/sign-in/email', { email, password })
  return response?.twoFactorRedirect
    ? { methods: response.twoFactorMethods ?? [], phoneHint: response.phoneHint ?? null }
    : null
}

/** Whether the browser has a session. Without the API client, which would end the session after a 401. */
export async function hasSession(): Promise<boolean> {
  const response = await fetch('/api/auth/get-session', { credentials: 'same-origin' }).catch(() => null)
  return response?.ok === true && (await response.json().catch(() => null)) !== null
}

/** Ends the session, and drops responses that were requested early. */
export async function signOut(): Promise<void> {
  dropEarly()
  await authCall('/sign-out')
}

/** Requests the e-mail with a reset link. The response does not reveal whether the account exists. */
export async function requestPasswordReset(email: string): Promise<void> {
  await authCall('/request-password-reset', { email })
}

/** Sets a password with the single-use token of a link. */
export async function resetPassword(token: string, newPassword: string): Promise<void> {
  await authCall('/reset-password', { token, newPassword })
}

/** Changes the password and ends every other session of the user. */
export async function changePassword(currentPassword: string, newPassword: string): Promise<void> {
  await authCall('/change-password', { currentPassword, newPassword })
}

export type Demo = EndpointOutput<typeof getDemo>

/** Sign-ins of the demo; null if off. Without the contract, which would double the sign-in page's size. */
export async function findDemo(): Promise<Demo | null> {
  const response = await fetch('/internal/demo')
  return response.ok ? ((await response.json()) as Demo) : null
}
