import { createAuthMiddleware, getAuthoritativeSessionFromCtx } from 'better-auth/api'
import { authError } from '../auth-errors.ts'

/** Second factors are changed only this soon after signing in. */
export const freshMinutes = 30

/** Lets through who signed in a short while ago; else throws CREDENTIAL_TOO_OLD_LOGIN_AGAIN. */
export const freshSession = (now: () => Date) =>
  createAuthMiddleware(async (ctx) => {
    const session = await getAuthoritativeSessionFromCtx(ctx)
    if (!session) throw authError('UNAUTHORIZED')
    if (now().getTime() - new Date(session.session.createdAt).getTime() > freshMinutes * 60_000)
      throw authError('CREDENTIAL_TOO_OLD_LOGIN_AGAIN')
    return { session }
  })
