import { ApiError } from './api-error.ts'
import { authCall } from './auth-call.ts'

interface UserSession {
  id: string
  /** Identifies the session in calls; same value as the cookie. */
  token: string
  userAgent: string | null
  ipAddress: string | null
  createdAt: string
  updatedAt: string
}

async function getJson<T>(path: string): Promise<T> {
  const url = `/api/auth${path}`
  const response = await fetch(url, { credentials: 'same-origin' })
  const body: unknown = await response.json().catch(() => null)
  if (!response.ok)
    throw new ApiError({
      url,
      method: 'GET',
      request: null,
      status: response.status,
      statusText: response.statusText,
      body,
    })
  return body as T
}

/** Lists the sessions of the user, the current one first, then the last used. */
export async function listSessions(): Promise<{ sessions: UserSession[]; currentId: string | null }> {
  const [sessions, current] = await Promise.all([
    getJson<UserSession[]>('/list-sessions'),
    getJson<{ session: { id: string } } | null>('/get-session'),
  ])
  const currentId = current?.session.id ?? null
  return {
    currentId,
    sessions: sessions.toSorted(
      (a, b) =>
        Number(b.id === currentId) - Number(a.id === currentId) || b.updatedAt.localeCompare(a.updatedAt),
    ),
  }
}

export const endSession = (token: string): Promise<unknown> => authCall('/revoke-session', { token })
export const endOtherSessions = (): Promise<unknown> => authCall('/revoke-other-sessions')

// In this order, because user agents of Edge, Opera and Chrome also name Chrome or Safari.
const browsers: readonly [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
// In this order, because user agents of iOS also name Mac OS X, and those of Android Linux.
const systems: readonly [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]
const findName = (names: readonly [RegExp, string][], text: string): string | undefined =>
  names.find(([pattern]) => pattern.test(text))?.[1]

/** Formats a user agent as `Firefox · Linux`; its start if it is no known browser, null if it is empty. */
export function describeDevice(userAgent: string | null): string | null {
  if (!userAgent) return null
  const names = [findName(browsers, userAgent), findName(systems, userAgent)].filter(Boolean)
  return names.length ? names.join(' · ') : userAgent.slice(0, 40)
}
