import { createHash, randomUUID } from 'node:crypto'
import type { AuthContext } from './credentials/auth-context.ts'

const maxAgeSeconds = 365 * 24 * 3600

/** One cookie per account, so that a shared browser is known for all of its users. */
const cookieOf = (ctx: AuthContext, email: string) => {
  const name = createHash('sha256').update(email.toLowerCase()).digest('hex').slice(0, 16)
  return ctx.context.createAuthCookie(`device_${name}`, {
    maxAge: maxAgeSeconds,
    path: '/api/auth',
    httpOnly: true,
    sameSite: 'lax',
  })
}

/**
 * The device of a request, if this account has signed in or chosen a password with it before; else null.
 * The cookie is signed and contains the account, so it is not valid for another one.
 */
export async function knownDevice(ctx: AuthContext, email: string): Promise<string | null> {
  const value = await ctx.getSignedCookie(cookieOf(ctx, email).name, ctx.context.secret)
  if (!value) return null
  const [device, account] = value.split(' ')
  return device && account === email.toLowerCase() ? `${device} ${account}` : null
}

/** Sets the cookie of a known device for a year. */
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
