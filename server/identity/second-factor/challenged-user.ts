import type { AuthContext } from '../credentials/auth-context.ts'

/** Who has given the password and now owes the second factor, by the cookie of the challenge; null where none is under way. */
export async function challengedUser(ctx: AuthContext, at: Date): Promise<string | null> {
  const cookie = ctx.context.createAuthCookie('two_factor')
  const identifier = await ctx.getSignedCookie(cookie.name, ctx.context.secret)
  if (!identifier) return null
  const challenge = await ctx.context.internalAdapter.findVerificationValue(identifier)
  return challenge && challenge.expiresAt > at ? challenge.value : null
}
