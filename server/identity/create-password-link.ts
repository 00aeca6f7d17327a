import { randomBytes } from 'node:crypto'
import type { Config } from '#server/config.ts'

/** The part of the identity library that stores hashed tokens. */
interface TokenStore {
  $context: Promise<{
    internalAdapter: {
      createVerificationValue(value: { identifier: string; value: string; expiresAt: Date }): Promise<unknown>
    }
  }>
}

/** Creates a URL at which a user chooses a password. Its token is valid once. */
export async function createPasswordLink(
  auth: TokenStore,
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { userId, validSeconds, at }: { userId: string; validSeconds: number; at: Date },
): Promise<string> {
  const token = randomBytes(24).toString('base64url')
  const { internalAdapter } = await auth.$context
  await internalAdapter.createVerificationValue({
    identifier: `reset-password:${token}`,
    value: userId,
    expiresAt: new Date(at.getTime() + validSeconds * 1000),
  })
  return `${publicUrl}/login/new-password?token=${token}`
}
