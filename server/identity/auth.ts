import { betterAuth } from 'better-auth'
import { bearer } from 'better-auth/plugins'
import type { Config } from '#server/config.ts'
import type { SecretBox } from '#server/stores/secret-box.ts'
import type { State } from '#server/stores/state.ts'

/** Sign-in: e-mail and password, cookie or bearer token, lock-out by rate limit on the credential calls. */
export async function openAuth(state: State, config: Pick<Config, 'publicUrl'>, box: SecretBox) {
  return betterAuth({
    appName: 'Publicway',
    secret: box.derive('sign-in'),
    baseURL: config.publicUrl,
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
