import { createHash, randomUUID } from 'node:crypto'
import type { AuthContext } from './credentials/auth-context.ts'

const maxAgeSeconds = 365 * 24 * 3600

/** Creates the cookie that marks a device as known to one account, as users may share a browser. */
const createCookie = (ctx: AuthContext, email: string) => {
  const name = createHash('sha256').update(email.toLowerCase()).digest('hex').slice(0, 16)
  return ctx.context.createAuthCookie(`device_${name}`, {
    maxAge: maxAgeSeconds,
    path: '/api/auth',
    httpOnly: true,
    sameSite: 'lax',
  })
}

/**
 * Returns the id of the request's device and the account, separated by a space, if this account has signed in
 * or chosen a password on the device before; otherwise null. The cookie is signed and contains the account, so it is invalid for other accounts.
 */
export async function findKnownDevice(ctx: AuthContext, email: string): Promise<string | null> {
  const value = await ctx.getSignedCookie(createCookie(ctx, email).name, ctx.context.secret)
  if (!value) return null
  const [device, account] = value.split(' ')
  return device && account === email.toLowerCase() ? `${device} ${account}` : null
}

/** Marks the device as known to the account, for a year. */
export async function rememberDevice(ctx: AuthContext, email: string): Promise<void> {
  const { name, attributes } = createCookie(ctx, email)
  const knownDevice = await findKnownDevice(ctx, email)
  await ctx.setSignedCookie(
    name,
    knownDevice ?? `${randomUUID()} ${email.toLowerCase()}`,
    ctx.context.secret,
    attributes,
  )
}
