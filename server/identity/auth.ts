import { randomBytes } from 'node:crypto'
import { betterAuth } from 'better-auth'
import { bearer } from 'better-auth/plugins'
import type { Config } from '#server/config.ts'
import type { State } from '#server/stores/state.ts'
import { systemScope } from './scope.ts'

/** The key that signs cookies: made once, kept in the state store, so that sessions survive a restart. */
async function signingSecret(state: State): Promise<string> {
  const store = state.as(systemScope)
  await store.insertInto('secret').values({ name: 'sign-in', value: randomBytes(48).toString('base64url') }).onConflict((clash) => clash.doNothing()).execute()
  return (await store.selectFrom('secret').select('value').where('name', '=', 'sign-in').executeTakeFirstOrThrow()).value
}

/** Sign-in: e-mail and password, cookie or bearer token, lock-out by rate limit on the credential calls. */
export async function openAuth(state: State, config: Pick<Config, 'host' | 'port'>) {
  return betterAuth({
    appName: 'Publicway',
    secret: await signingSecret(state),
    baseURL: `http://${config.host}:${config.port}`,
    basePath: '/api/auth',
    // Same-origin pages only: the origin must be the host that was asked.
    trustedOrigins: (request) => {
      const host = request?.headers.get('x-forwarded-host') ?? request?.headers.get('host')
      return host ? [`http://${host}`, `https://${host}`] : []
    },
    database: { db: state.library, type: 'postgres' },
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 10, maxPasswordLength: 128 },
    user: {
      additionalFields: {
        organizationId: { type: 'string', required: true, input: false },
        acceptedTermsOfService: { type: 'boolean', required: false, input: false, defaultValue: false },
        permissionKeys: { type: 'string', required: false, input: false, defaultValue: '' },
        disabled: { type: 'boolean', required: false, input: false, defaultValue: false },
      },
    },
    session: { expiresIn: 7 * 24 * 3600, updateAge: 3600 },
    rateLimit: { enabled: true, storage: 'database', window: 60, max: 300, customRules: { '/sign-in/email': { window: 60, max: 10 } } },
    // Said outright: left out, the library goes without where NODE_ENV or TEST look like a test.
    advanced: { disableOriginCheck: false, cookiePrefix: 'publicway', defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' }, ipAddress: { ipAddressHeaders: ['x-client-ip'] }, database: { generateId: 'uuid' } },
    telemetry: { enabled: false },
    plugins: [bearer()],
  })
}

export type Auth = Awaited<ReturnType<typeof openAuth>>
