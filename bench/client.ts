import type { App } from '#server/app.ts'
import { createUser } from '#server/identity/create-user.ts'
import type { PermissionKey } from '#contract/permission.ts'

export const originOf = (port: number): string => `http://127.0.0.1:${port}`

/** Creates a user, signs it in over a socket and returns the cookie. */
export async function signIn(
  { app, organizationId }: { app: App; organizationId: string },
  port: number,
  permissions: PermissionKey[] = [],
): Promise<string> {
  const [email, password] = [`bench-${Date.now()}@bench.example`, 'bench-password-of-some-length']
  await createUser(
    app.auth,
    app.state,
    { email, password, name: 'Bench', organizationId, permissions, acceptedTermsOfService: true },
    new Date(),
  )
  const answer = await fetch(`${originOf(port)}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: originOf(port) },
    body: JSON.stringify({ email, password }),
  })
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}
