import { randomBytes } from 'node:crypto'
import type { Config } from '#server/config.ts'

/** What of the identity library keeps a token, as a hash of it. */
interface TokenStore {
  $context: Promise<{
    internalAdapter: {
      createVerificationValue(value: { identifier: string; value: string; expiresAt: Date }): Promise<unknown>
    }
  }>
}

/** The page where the user chooses a password, with a token for one use. */
export async function makePasswordLink(
  auth: TokenStore,
  { publicUrl }: Pick<Config, 'publicUrl'>,
  userId: string,
  validSeconds: number,
  at: Date,
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
