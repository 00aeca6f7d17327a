import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { nameSchema } from './names.ts'

/**
 * A single sign-on provider (OpenID Connect) of the organization. The client secret is never returned. Responses use
 * camelCase and requests snake_case; both are published and cannot change.
 */
export const SignInProvider = z
  .object({
    id: z.string(),
    name: z.string(),
    issuer: z.url().max(500),
    clientId: z.string().max(300),
    hasSecret: z.boolean(),
    /** Email domains of users who may sign in through it. */
    emailDomains: z.array(z.string()),
    /** Whether a first sign-in creates a user, who has no permissions. */
    createsUsers: z.boolean(),
    enabled: z.boolean(),
  })
  .meta({ id: 'SignInProvider' })
export type SignInProvider = z.infer<typeof SignInProvider>

// No defaults: a change leaves omitted fields unchanged.
const providerFields = {
  name: nameSchema(120),
  issuer: z.url({ protocol: /^https?$/ }).max(500),
  client_id: z.string().trim().min(1).max(300),
  client_secret: z.string().max(500).optional(),
  email_domains: z
    .array(
      z
        .string()
        .trim()
        .toLowerCase()
        .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/),
    )
    .min(1)
    .max(50),
  creates_users: z.boolean(),
  enabled: z.boolean(),
}
const newProvider = z.object({
  ...providerFields,
  creates_users: providerFields.creates_users.default(false),
  enabled: providerFields.enabled.default(true),
})
export type NewSignInProvider = z.infer<typeof newProvider>

const providerParams = z.object({ provider_id: z.string().max(80) })
export const listSignInProviders = endpoint({
  route: 'GET /sign_in_providers',
  permission: 'is_admin',
  summary: 'Single sign-on providers of the organization',
  request: {},
  response: z.array(SignInProvider),
})
export const createSignInProvider = endpoint({
  route: 'POST /sign_in_providers',
  prefixes: ['/v2'],
  permission: 'is_admin',
  wholeOrganization: true,
  summary: 'Add a provider; its discovery document is read at once',
  request: { body: newProvider },
  response: SignInProvider,
})
export const changeSignInProvider = endpoint({
  route: 'PATCH /sign_in_providers/{provider_id}',
  permission: 'is_admin',
  wholeOrganization: true,
  summary: 'Change a provider',
  request: { params: providerParams, body: z.object(providerFields).partial() },
  response: SignInProvider,
})
export const deleteSignInProvider = endpoint({
  route: 'DELETE /sign_in_providers/{provider_id}',
  permission: 'is_admin',
  wholeOrganization: true,
  summary: 'Remove a provider; users who cannot sign in otherwise lose access',
  request: { params: providerParams },
  response: z.object({ deleted: z.boolean() }),
})
