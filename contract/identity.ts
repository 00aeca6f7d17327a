import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { nameSchema } from './names.ts'
import { Grant } from './permission.ts'

/** A second factor that was enrolled: an authenticator app or a phone that gets text messages. The number is shown by its last digits. */
export const EnrolledFactor = z
  .object({
    id: z.uuid(),
    kind: z.enum(['totp', 'phone']),
    displayName: z.string(),
    enrolledTime: z.iso.datetime(),
  })
  .meta({ id: 'EnrolledFactor' })
export type EnrolledFactor = z.infer<typeof EnrolledFactor>

/** A person's name. */
export const PersonName = nameSchema(120)

export const User = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    organizationId: z.uuid(),
    acceptedTermsOfService: z.boolean(),
    /** How the user can sign in; password sign-in is told by 'password' (1-product, section 3). */
    providerData: z.array(z.object({ providerId: z.string() })),
    /** In the order of their enrolment; the first is the one that unenrolling removes. */
    enrolledFactors: z.array(EnrolledFactor),
    /** Whose numbers the user sees, by slug; null: every operator's. */
    operators: z.array(z.string()).nullable(),
    /** The regions that the user is limited to; null: every region of the organization. */
    regionIds: z.array(z.string()).nullable(),
    /** The organization demands a second factor of this user and there is none yet. */
    mfaRequired: z.boolean(),
    /** The admin who looks on as this user. */
    impersonatedBy: z.object({ user_id: z.string(), user_email: z.string() }).nullable(),
  })
  .meta({ id: 'User' })
export type User = z.infer<typeof User>

export const getMe = endpoint({
  method: 'GET',
  path: '/users/me',
  permission: 'session',
  summary: 'The signed-in user',
  ask: {},
  answer: User,
})
export const changeMe = endpoint({
  method: 'PATCH',
  path: '/users/me',
  permission: 'session',
  summary: 'Change own settings',
  ask: { body: z.object({ acceptedTermsOfService: z.boolean().optional(), name: PersonName.optional() }) },
  answer: User,
})
export const getMyPermissions = endpoint({
  method: 'GET',
  path: '/users/me/permissions',
  permission: 'session',
  summary: 'The five permission keys and whether the user has them',
  ask: {},
  answer: z.array(Grant),
})

/** A flag of the deployment or of the organization, by key (1-product, section 7). */
export const FeatureFlag = z.object({ key: z.string(), enabled: z.boolean() }).meta({ id: 'FeatureFlag' })
export const listFeatureFlags = endpoint({
  method: 'GET',
  path: '/feature_flags',
  permission: 'session',
  summary: 'Which features are on for the viewer’s organization',
  ask: {},
  answer: z.array(FeatureFlag),
})

/** The sign-in provider of an issuer; unknown ones answer the code ISSUER_UNKNOWN (1-product, sections 7 and 8). */
export const getOidcConfig = endpoint({
  method: 'GET',
  path: '/config/oidc',
  permission: 'public',
  summary: 'The single sign-on provider of an issuer',
  ask: { query: z.object({ oidc_issuer_url: z.string().max(2000).optional() }) },
  answer: z.object({ gidp_provider_id: z.string(), name: z.string() }),
})

/** The made-up city's sign-ins, so that a first visitor can look around; not found where there is no demo. */
export const getDemo = endpoint({
  method: 'GET',
  path: '/demo',
  prefixes: ['/internal'],
  permission: 'public',
  summary: 'Sign-ins of the demo city',
  ask: {},
  answer: z.object({
    sign_ins: z.array(z.object({ email: z.string(), password: z.string(), role: z.string() })),
  }),
})
export const getHealth = endpoint({
  method: 'GET',
  path: '/health',
  prefixes: ['', '/v2', '/internal', '/apipy'],
  permission: 'public',
  summary: 'Answers once the server can serve, and says whether its disk is full: then nothing can be stored',
  ask: {},
  answer: z.object({ status: z.literal('ok'), version: z.string(), disk: z.enum(['ok', 'full']) }),
})
/** The root of each prefix answers as health does. */
export const getRoot = endpoint({
  method: 'GET',
  path: '/',
  prefixes: ['/v2', '/internal', '/apipy'],
  permission: 'public',
  summary: 'As health',
  ask: {},
  answer: z.object({ status: z.literal('ok'), version: z.string() }),
})
export const getPing = endpoint({
  method: 'GET',
  path: '/ping',
  prefixes: ['', '/v2', '/internal', '/apipy'],
  permission: 'public',
  summary: 'As health',
  ask: {},
  answer: z.object({ status: z.literal('ok'), version: z.string() }),
})
