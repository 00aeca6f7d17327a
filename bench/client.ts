import type { App } from '#server/app.ts'
import { createUser } from '#server/identity/create-user.ts'
import type { PermissionKey } from '#contract/permission.ts'

export const getOrigin = (port: number): string => `http://127.0.0.1:${port}`

let users = 0

/** Creates a user, signs in and returns the cookie. Sign-ins per address are limited, so each has its own. */
export async function signIn(
  { app, organizationId }: { app: App; organizationId: string },
  port: number,
  permissions: PermissionKey[] = [],
): Promise<string> {
  const number = ++users
  const [email, password] = [`bench-${number}@bench.example`, 'bench-password-of-some-length']
  await createUser(
    app.auth,
    app.state,
    { email, password, name: 'Bench', organizationId, permissions, acceptedTermsOfService: true },
    new Date(),
  )
  const response = await app.http.inject({
    method: 'POST',
    url: '/api/auth/sign-in/email',
    remoteAddress: `10.0.${number >> 8}.${number & 255}`,
    headers: {
      'content-type': 'application/json',
      host: getOrigin(port).slice('http://'.length),
      origin: getOrigin(port),
    },
    payload: JSON.stringify({ email, password }),
  })
  if (response.statusCode !== 200)
    throw new Error(`${email} cannot sign in: ${response.statusCode} ${response.body}`)
  return [response.headers['set-cookie']]
    .flat()
    .map((cookie) => cookie?.split(';')[0])
    .join('; ')
}
