import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { z } from 'zod'

/** For the identity library: a session of a user who was identified elsewhere, with the cookie of any sign-in. No address leads to it; the server calls it. */
export const enterPlugin = () =>
  ({
    id: 'single-sign-on',
    endpoints: {
      enterBySingleSignOn: createAuthEndpoint.serverOnly(
        { method: 'POST', body: z.object({ userId: z.string() }) },
        async (context) => {
          const { internalAdapter } = context.context
          const user = await internalAdapter.findUserById(context.body.userId)
          const session = user && (await internalAdapter.createSession(user.id))
          if (!session) throw new APIError('UNAUTHORIZED')
          await setSessionCookie(context, { session, user })
          return { entered: true }
        },
      ),
    },
  }) satisfies BetterAuthPlugin
