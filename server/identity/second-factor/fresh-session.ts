import { createAuthMiddleware, getAuthoritativeSessionFromCtx } from 'better-auth/api'
import { authError } from '../auth-errors.ts'

/** Second factors can be changed within this time after the sign-in. */
export const freshMinutes = 30

/** Middleware that throws CREDENTIAL_TOO_OLD_LOGIN_AGAIN unless the sign-in is recent. */
export const freshSession = (now: () => Date) =>
  createAuthMiddleware(async (ctx) => {
    const session = await getAuthoritativeSessionFromCtx(ctx)
    if (!session) throw authError('UNAUTHORIZED')
    if (now().getTime() - new Date(session.session.createdAt).getTime() > freshMinutes * 60_000)
      throw authError('CREDENTIAL_TOO_OLD_LOGIN_AGAIN')
    return { session }
  })
