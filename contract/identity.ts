import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { nameSchema } from './names.ts'
import { Grant } from './permission.ts'

/** An enrolled second factor: an authenticator app, or a phone, shown by the last digits of its number. */
export const EnrolledFactor = z
  .object({
    id: z.uuid(),
    kind: z.enum(['totp', 'phone']),
    displayName: z.string(),
    enrolledTime: z.iso.datetime(),
  })
  .meta({ id: 'EnrolledFactor' })
export type EnrolledFactor = z.infer<typeof EnrolledFactor>

/** Languages of the screens and emails. */
export const languages = ['en-US', 'es'] as const
export const Language = z.enum(languages)
export type Language = z.infer<typeof Language>

export const maxPersonNameLength = 120
/** Name of a person. */
export const PersonName = nameSchema(maxPersonNameLength)

export const User = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    organizationId: z.uuid(),
    acceptedTermsOfService: z.boolean(),
    /** Ways to sign in: 'password', or the id of a sign-in provider. */
    providerData: z.array(z.object({ providerId: z.string() })),
    /** In the order of enrollment; unenrolling removes the first. */
    enrolledFactors: z.array(EnrolledFactor),
    /** Slugs of the operators with data that the user sees; null: all operators. */
    operators: z.array(z.string()).nullable(),
    /** Regions that the user is limited to; null: every region of the organization. */
    regionIds: z.array(z.string()).nullable(),
    /** Whether the organization requires a second factor and the user has not enrolled one yet. */
    mfaRequired: z.boolean(),
    /** The administrator who impersonates this user. */
    impersonatedBy: z.object({ user_id: z.string(), user_email: z.string() }).nullable(),
  })
  .meta({ id: 'User' })
export type User = z.infer<typeof User>

export const getMe = endpoint({
  route: 'GET /users/me',
  permission: 'session',
  summary: 'The signed-in user',
  request: {},
  response: User,
})
export const changeMe = endpoint({
  route: 'PATCH /users/me',
  permission: 'session',
  summary: 'Change settings of the signed-in user',
  request: {
    body: z.object({
      acceptedTermsOfService: z.boolean().optional(),
      name: PersonName.optional(),
      /** Language of emails and scheduled reports. */
      language: Language.optional(),
    }),
  },
  response: User,
})
export const getMyPermissions = endpoint({
  route: 'GET /users/me/permissions',
  permission: 'session',
  summary: 'The permission keys and whether the user has them',
  request: {},
  response: z.array(Grant),
})

/** A flag of the deployment or the organization. */
export const FeatureFlag = z.object({ key: z.string(), enabled: z.boolean() }).meta({ id: 'FeatureFlag' })
export const listFeatureFlags = endpoint({
  route: 'GET /feature_flags',
  permission: 'session',
  summary: 'Which features are on for the viewer’s organization',
  request: {},
  response: z.array(FeatureFlag),
})

/** The sign-in provider of an issuer; an unknown issuer is an error with code ISSUER_UNKNOWN. */
export const getOidcConfig = endpoint({
  route: 'GET /config/oidc',
  permission: 'public',
  summary: 'The single sign-on provider of an issuer',
  request: { query: z.object({ oidc_issuer_url: z.string().max(2000).optional() }) },
  response: z.object({ gidp_provider_id: z.string(), name: z.string() }),
})

/** Sign-ins of the demo city for first visitors; 404 without a demo. */
export const getDemo = endpoint({
  route: 'GET /demo',
  prefixes: ['/internal'],
  permission: 'public',
  summary: 'Sign-ins of the demo city',
  request: {},
  response: z.object({
    sign_ins: z.array(z.object({ email: z.string(), password: z.string(), role: z.string() })),
  }),
})
export const getHealth = endpoint({
  route: 'GET /health',
  prefixes: ['', '/v2', '/internal', '/apipy'],
  permission: 'public',
  summary:
    'Responds once the server is ready, and reports whether its disk is full, so that nothing can be stored',
  request: {},
  response: z.object({ status: z.literal('ok'), version: z.string(), disk: z.enum(['ok', 'full']) }),
})
const QueueLoad = z.object({
  running: z.number().int(),
  waiting: z.number().int(),
  /** Since the start of the server. */
  refused: z.number().int(),
})
/** Load of the server: all calls, the heavy ones among them, and long bodies. */
export const getServerLoad = endpoint({
  route: 'GET /health/load',
  permission: 'is_admin',
  wholeOrganization: true,
  summary: 'How many calls, heavy calls and long bodies are running, waiting for a turn, or were refused',
  request: {},
  response: z.object({ calls: QueueLoad, heavy: QueueLoad, bodies: QueueLoad }).meta({ id: 'ServerLoad' }),
})
/** The root of each prefix responds like health. */
export const getRoot = endpoint({
  route: 'GET /',
  prefixes: ['/v2', '/internal', '/apipy'],
  permission: 'public',
  summary: 'Same as health',
  request: {},
  response: z.object({ status: z.literal('ok'), version: z.string() }),
})
export const getPing = endpoint({
  route: 'GET /ping',
  prefixes: ['', '/v2', '/internal', '/apipy'],
  permission: 'public',
  summary: 'Same as health',
  request: {},
  response: z.object({ status: z.literal('ok'), version: z.string() }),
})
