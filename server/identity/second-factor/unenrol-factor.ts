import { createAuthEndpoint } from 'better-auth/api'
import { authError } from '../auth-errors.ts'
import type { AuthParts } from '../auth-parts.ts'
import { findFactors } from '../find-user.ts'
import { freshSession } from './fresh-session.ts'
import { removeFirstFactor } from './remove-first-factor.ts'
import { tellOfFactor } from './tell-of-factor.ts'

/** Removes the first enrolled factor of who is signed in. */
export const unenrolFactor = (parts: AuthParts) =>
  createAuthEndpoint(
    '/multi-factor/unenrol',
    { method: 'POST', use: [freshSession(parts.now)] },
    async (ctx) => {
      const { user } = ctx.context.session
      const removed = await removeFirstFactor(parts.state, user.id)
      if (!removed) throw authError('UNSUPPORTED_FACTOR')
      await tellOfFactor(parts, ctx, user.id, { removed }, parts.now())
      return ctx.json({ enrolledFactors: await findFactors(parts.state, user.id) })
    },
  )
