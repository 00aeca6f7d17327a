import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { PermissionKey } from './permission.ts'

export const User = z
  .object({ id: z.string(), email: z.string(), name: z.string(), organizationId: z.uuid(), acceptedTermsOfService: z.boolean() })
  .meta({ id: 'User' })
export type User = z.infer<typeof User>

export const Grant = z.object({ key: PermissionKey, enabled: z.boolean() })

export const getMe = endpoint({ method: 'GET', path: '/users/me', permission: 'signed_in', summary: 'The signed-in user', ask: {}, answer: User })
export const changeMe = endpoint({
  method: 'PATCH', path: '/users/me', permission: 'signed_in', summary: 'Change own settings',
  ask: { body: z.object({ acceptedTermsOfService: z.boolean().optional(), name: z.string().min(1).max(120).optional() }) }, answer: User,
})
export const getMyPermissions = endpoint({ method: 'GET', path: '/users/me/permissions', permission: 'signed_in', summary: 'The five permission keys and whether the user has them', ask: {}, answer: z.array(Grant) })
/** The made-up city's sign-ins, so that a first visitor can look around; not found where there is no demo. */
export const getDemo = endpoint({
  method: 'GET', path: '/demo', prefixes: ['/internal'], permission: 'public', summary: 'Sign-ins of the demo city',
  ask: {}, answer: z.object({ sign_ins: z.array(z.object({ email: z.string(), password: z.string(), role: z.string() })) }),
})
export const getHealth = endpoint({
  method: 'GET', path: '/health', prefixes: ['', '/v2', '/internal', '/apipy'], permission: 'public', summary: 'Answers once the server can serve',
  ask: {}, answer: z.object({ status: z.literal('ok'), version: z.string() }),
})
export const getPing = endpoint({ method: 'GET', path: '/ping', prefixes: ['', '/v2', '/internal', '/apipy'], permission: 'public', summary: 'As health', ask: {}, answer: z.object({ status: z.literal('ok'), version: z.string() }) })
