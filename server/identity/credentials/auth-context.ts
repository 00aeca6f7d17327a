import { createAuthMiddleware, getAuthoritativeSessionFromCtx, type getSessionFromCtx } from 'better-auth/api'
import { createAuthError } from '../auth-errors.ts'

/** The context of a request in hooks and endpoints of the identity library. */
export type AuthContext = Parameters<typeof getSessionFromCtx>[0]

/** Returns the client's address, which the server has set in a header; null if it is unknown. */
export const getAddress = ({
  headers,
  request,
}: {
  headers?: Headers | undefined
  request?: Request | undefined
}): string | null => (headers ?? request?.headers)?.get('x-client-ip') ?? null

/** Time after a sign-in during which second factors can be changed. */
export const freshMinutes = 30

/** Returns middleware that throws CREDENTIAL_TOO_OLD_LOGIN_AGAIN unless the sign-in is recent. */
export const requireFreshSession = (now: () => Date) =>
  createAuthMiddleware(async (ctx) => {
    const session = await getAuthoritativeSessionFromCtx(ctx)
    if (!session) throw createAuthError('UNAUTHORIZED')
    if (now().getTime() - new Date(session.session.createdAt).getTime() > freshMinutes * 60_000)
      throw createAuthError('CREDENTIAL_TOO_OLD_LOGIN_AGAIN')
    return { session }
  })
