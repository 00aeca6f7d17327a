import { z } from 'zod'
import { Zone } from './regions.ts'
import { endpoint } from './endpoint.ts'
import { PersonName } from './identity.ts'
import { nameSchema } from './names.ts'
import { operatorSlug } from './operators.ts'
import { orderQuery, pageQuery, pageSchema } from './page.ts'
import { Grant, PermissionKey } from './permission.ts'

/** A named set of permission keys of an organization. */
export const Role = z
  .object({ id: z.uuid(), name: z.string(), permissions: z.array(Grant) })
  .meta({ id: 'Role' })
export type Role = z.infer<typeof Role>

/** A user as shown to administrators. */
export const ManagedUser = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    disabled: z.boolean(),
    /** Has neither chosen a password nor signed in by single sign-on. */
    invited: z.boolean(),
    roles: z.array(z.object({ id: z.uuid(), name: z.string() })),
    /** Permission keys granted to the user in addition to those of the roles. */
    keys: z.array(PermissionKey),
    /** Regions that the user may see; null means every region of the organization. */
    regionIds: z.array(z.string()).nullable(),
    /** The only operators with visible data; null: all. Users with such a limit have no permission keys. */
    operators: z.array(z.string()).nullable(),
    secondFactors: z.number().int(),
    lastSignInTime: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ManagedUser' })
export type ManagedUser = z.infer<typeof ManagedUser>

const RegionIds = z.array(z.string()).max(1000).nullable()
/** An empty list means null. */
const Operators = z.array(operatorSlug).max(50).nullable()
const userParams = z.object({ user_id: z.string() })

export const userOrders = ['email', 'name', 'state', 'last_sign_in'] as const
export const listUsers = endpoint({
  route: 'GET /users',
  permission: 'is_admin',
  summary: 'Users of the organization',
  request: {
    query: z.object({ ...pageQuery(50), ...orderQuery(userOrders, 'email'), search: z.string().optional() }),
  },
  response: pageSchema(ManagedUser),
})
const invitation = {
  onboarding_link: z.string(),
  /** Whether this server sends email; otherwise the link must be passed on by hand. */
  is_mailed: z.boolean(),
}
/** Invites by email. The response includes the link as well, for servers that send no email. */
export const inviteUser = endpoint({
  route: 'POST /users',
  prefixes: ['/v2'],
  permission: 'is_admin',
  scope: 'users:write',
  summary: 'Invite a user to the organization',
  request: {
    body: z.object({
      email: z.email().max(254),
      name: PersonName,
      role_ids: z.array(z.uuid()).max(50).default([]),
      region_ids: RegionIds.default(null),
      operators: Operators.default(null),
    }),
  },
  response: z.object({ user: ManagedUser, ...invitation }),
})
export const changeUser = endpoint({
  route: 'PATCH /users/{user_id}',
  permission: 'is_admin',
  summary: 'Disable or enable a user, change the name, the regions or the operators',
  request: {
    params: userParams,
    body: z.object({
      name: PersonName.optional(),
      disabled: z.boolean().optional(),
      region_ids: RegionIds.optional(),
      operators: Operators.optional(),
    }),
  },
  response: ManagedUser,
})
/** For a user who lost all second factors. Sign-ins require none until one is enrolled again. */
export const removeSecondFactors = endpoint({
  route: 'DELETE /users/{user_id}/second_factors',
  permission: 'is_admin',
  summary: 'Remove the second factors of a user',
  request: { params: userParams },
  response: ManagedUser,
})
/** For requests of people to see their stored data; a JSON file. */
export const getPersonData = endpoint({
  route: 'GET /users/{user_id}/data',
  permission: 'is_admin',
  personal: true,
  summary: 'Everything that is stored about a user, by table, without passwords and tokens',
  request: { params: userParams },
  response: { media: 'application/json' },
})
/** The same for any user's own data. */
export const getOwnData = endpoint({
  route: 'GET /users/me/data',
  permission: 'signed_in',
  personal: true,
  summary: 'Everything that is stored about the signed-in user, by table, without passwords and tokens',
  request: {},
  response: { media: 'application/json' },
})
export const deleteUser = endpoint({
  route: 'DELETE /users/{user_id}',
  permission: 'is_admin',
  summary: 'Remove the account of a disabled user for good; the audit log still names the address',
  request: { params: userParams },
  response: z.object({ deleted: z.boolean() }),
})
export const renewInvitation = endpoint({
  route: 'POST /users/{user_id}/invitation',
  permission: 'is_admin',
  scope: 'users:write',
  summary: 'Create and send a new onboarding link for an invited user',
  request: { params: userParams },
  response: z.object(invitation),
})
/** Public, because an invited user cannot sign in yet. The single-use token of the link expires. */
export const getOnboardingLink = endpoint({
  route: 'GET /users/get_user_onboarding_link/{onboarding_uuid}',
  permission: 'public',
  summary: 'Where an invited user chooses a password',
  request: { params: z.object({ onboarding_uuid: z.uuid() }) },
  response: z.object({ link: z.string(), email: z.string() }),
})

export const listRoles = endpoint({
  route: 'GET /user_roles',
  permission: 'is_admin',
  scope: 'users:write',
  summary: 'Roles of the organization with their permissions',
  request: {},
  response: z.array(Role),
})
export const createRole = endpoint({
  route: 'POST /user_roles',
  prefixes: ['/v2'],
  permission: 'is_admin',
  wholeOrganization: true,
  summary: 'Add a role',
  request: { body: z.object({ name: nameSchema(60), keys: z.array(PermissionKey).default([]) }) },
  response: Role,
})
export const deleteRole = endpoint({
  route: 'DELETE /roles/{role_id}',
  permission: 'is_admin',
  wholeOrganization: true,
  summary: 'Delete a role; users with the role lose its keys',
  request: { params: z.object({ role_id: z.uuid() }) },
  response: z.object({ deleted: z.boolean() }),
})
const UserRoles = z.object({ user_id: z.string(), roles: z.array(Role) })
export const getUserRoles = endpoint({
  route: 'GET /user_roles/{user_id}',
  permission: 'is_admin',
  summary: 'The roles of a user',
  request: { params: userParams },
  response: UserRoles,
})
export const changeUserRoles = endpoint({
  route: 'PATCH /user_roles/{user_id}',
  permission: 'is_admin',
  summary: 'Set the roles of a user',
  request: { params: userParams, body: z.object({ role_ids: z.array(z.uuid()).max(50) }) },
  response: UserRoles,
})

/** The granted keys of a `user` or a `role`. For a `region`, a row with the key `view` for each user who sees it. */
export const ObjectPermission = z.object({
  key: z.string(),
  enabled: z.boolean(),
  user_id: z.string().optional(),
  user_email: z.string().optional(),
})
const objectParams = z.object({ obj_type: z.enum(['user', 'role', 'region']), obj_id: z.string().max(80) })
const ObjectPermissions = z.object({
  obj_type: objectParams.shape.obj_type,
  obj_id: z.string(),
  permissions: z.array(ObjectPermission),
})
export const getPermissionsOn = endpoint({
  route: 'GET /permissions/{obj_type}/{obj_id}',
  permission: 'is_admin',
  summary: 'Permissions on an object',
  request: { params: objectParams },
  response: ObjectPermissions,
})
export const changePermissionsOn = endpoint({
  route: 'PATCH /permissions/{obj_type}/{obj_id}',
  permission: 'is_admin',
  summary: 'Change permissions on an object; rows that are left out stay as they are',
  request: {
    params: objectParams,
    body: z.object({
      permissions: z
        .array(z.object({ key: z.string(), enabled: z.boolean(), user_id: z.string().optional() }))
        .min(1)
        .max(1000),
    }),
  },
  response: ObjectPermissions,
})

/** Name and email address of a colleague. */
export const Colleague = z.object({ name: z.string(), email: z.string() }).meta({ id: 'Colleague' })
export type Colleague = z.infer<typeof Colleague>
/** Maximum number of listed colleagues; further ones are only counted. */
export const maxColleagues = 5
export const Colleagues = z.object({ items: z.array(Colleague), total: z.number().int() })
export type Colleagues = z.infer<typeof Colleagues>
export const listPermissionHolders = endpoint({
  route: 'GET /regions/{region_id}/permission_holders',
  permission: 'signed_in',
  summary: 'Who has a permission in a region, so that others know whom to ask',
  request: { params: z.object({ region_id: z.string() }), query: z.object({ key: PermissionKey }) },
  response: Colleagues,
})

/** One action of a user, as recorded by the server. */
export const AuditEntry = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    /** The acting user; under impersonation the impersonated one. */
    user_id: z.string().nullable(),
    user_email: z.string().nullable(),
    /** The administrator who impersonated that user. */
    admin_id: z.string().nullable(),
    admin_email: z.string().nullable(),
    /** Name of the operation, or `sign-in`, `sign-out`, `impersonate`, … */
    action: z.string(),
    method: z.string(),
    path: z.string(),
    status: z.number().int(),
    address: z.string().nullable(),
    /** The API key that was used, on behalf of its owner. */
    api_key_id: z.string().nullable().default(null),
  })
  .meta({ id: 'AuditEntry' })
export type AuditEntry = z.infer<typeof AuditEntry>

/** A day that the store can represent, and the next one as well. */
const AuditDay = z.iso.date().refine((day) => day > '1900' && day < '3000', 'A day from 1900 to 2999')

export const auditOrders = ['at', 'actor', 'action', 'result', 'path'] as const
export const listAudit = endpoint({
  route: 'GET /audit',
  permission: 'is_admin',
  summary: 'Actions of the users of the organization, newest first unless sorted',
  request: {
    query: z.object({
      ...pageQuery(50),
      ...orderQuery(auditOrders, '-at'),
      search: z.string().max(200).optional(),
      user_id: z.string().optional(),
      impersonated: z.enum(['true', 'false']).optional(),
      start_date: AuditDay.optional(),
      end_date: AuditDay.optional(),
      /** Time zone of the days. */
      timezone: Zone.default('UTC'),
    }),
  },
  response: pageSchema(AuditEntry),
})

/**
 * Returns the user that the header `impersonated-user` may name, and records the start in the audit log.
 * Impersonation ends with the last call that names the user.
 */
export const startImpersonation = endpoint({
  route: 'POST /impersonation',
  permission: 'is_admin',
  summary: 'Start to impersonate another user of the organization',
  request: { body: z.object({ user_id: z.string(), user_email: z.string() }) },
  response: z.object({ user_id: z.string(), user_email: z.string() }),
})
