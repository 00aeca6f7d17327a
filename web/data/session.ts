import type { EndpointOutput } from '#contract/endpoint.ts'
import type { getDemo } from '#contract/identity.ts'
import { authCall } from './auth-call.ts'

/** What a sign-in waits for after the password, as the server lists it: `totp`, `otp` (by text message), or a kind that this page does not know. */
export interface Challenge {
  methods: readonly string[]
  /** Of the phone that a code would go to: its last digits. */
  phoneHint: string | null
}

interface SignInResponse {
  twoFactorRedirect?: boolean
  twoFactorMethods?: readonly string[]
  phoneHint?: string | null
}

/** Signs in; the session is a cookie that scripts cannot read. Answers what else is asked for, null where the user is in. */
export async function signIn(email: string, password: string): Promise<Challenge | null> {
  const answer = await authCall<SignInResponse | null>('/sign-in/email', { email, password })
  return answer?.twoFactorRedirect
    ? { methods: answer.twoFactorMethods ?? [], phoneHint: answer.phoneHint ?? null }
    : null
}

/** Whether the browser has a session already. Called by hand, as the error of a missing one would end the session of the page. */
export async function hasSession(): Promise<boolean> {
  const response = await fetch('/api/auth/get-session', { credentials: 'same-origin' }).catch(() => null)
  return response?.ok === true && (await response.json().catch(() => null)) !== null
}

export async function signOut(): Promise<void> {
  await authCall('/sign-out')
}

/** Sends the link for a new password, if there is such an account: nobody is told. */
export async function requestPasswordReset(email: string): Promise<void> {
  await authCall('/request-password-reset', { email })
}

/** Chooses a password by the token of a link; the token serves once. */
export async function resetPassword(token: string, newPassword: string): Promise<void> {
  await authCall('/reset-password', { token, newPassword })
}

/** Every other session of the user ends by it. */
export async function changePassword(currentPassword: string, newPassword: string): Promise<void> {
  await authCall('/change-password', { currentPassword, newPassword })
}

export type Demo = EndpointOutput<typeof getDemo>

/** The sign-ins of the demo city; null unless it is on. Called by hand: the contract's schemas would double the sign-in page. */
export async function findDemo(): Promise<Demo | null> {
  const response = await fetch('/internal/demo')
  return response.ok ? ((await response.json()) as Demo) : null
}
