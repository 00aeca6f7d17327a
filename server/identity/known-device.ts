import { createHash, randomUUID } from 'node:crypto'
import type { AuthContext } from './credentials/auth-context.ts'

const maxAge = 365 * 24 * 3600

/** A cookie for each account, so that a shared browser is known for all who use it. */
const cookieOf = (ctx: AuthContext, email: string) => {
  const name = createHash('sha256').update(email.toLowerCase()).digest('hex').slice(0, 16)
  return ctx.context.createAuthCookie(`device_${name}`, {
    maxAge,
    path: '/api/auth',
    httpOnly: true,
    sameSite: 'lax',
  })
}

/**
 * The device of a request, if somebody has signed in to this account with it or chosen its password there; else null.
 * The cookie is signed and names the account, so it is of no use for another one.
 */
export async function knownDevice(ctx: AuthContext, email: string): Promise<string | null> {
  const value = await ctx.getSignedCookie(cookieOf(ctx, email).name, ctx.context.secret)
  if (!value) return null
  const [device, account] = value.split(' ')
  return device && account === email.toLowerCase() ? `${device} ${account}` : null
}

/** Remembers the device for a year after a sign-in. */
export async function rememberDevice(ctx: AuthContext, email: string): Promise<void> {
  const { name, attributes } = cookieOf(ctx, email)
  const known = await knownDevice(ctx, email)
  await ctx.setSignedCookie(
    name,
    known ?? `${randomUUID()} ${email.toLowerCase()}`,
    ctx.context.secret,
    attributes,
  )
}
