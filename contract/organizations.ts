import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { nameSchema } from './names.ts'
import { OrganizationType } from './regions.ts'
import { OrganizationSettings } from './settings.ts'

export const Organization = z
  .object({ id: z.uuid(), name: nameSchema(120), type: OrganizationType, settings: OrganizationSettings })
  .meta({ id: 'Organization' })
export type Organization = z.infer<typeof Organization>

const organizationParams = z.object({ organization_id: z.uuid() })

export const listOrganizations = endpoint({
  route: 'GET /organizations',
  permission: 'signed_in',
  summary: 'The organizations that the viewer may see',
  request: {},
  response: z.object({ items: z.array(Organization) }),
})
export const getOrganization = endpoint({
  route: 'GET /organizations/{organization_id}',
  permission: 'session',
  summary: 'One organization with its settings flags',
  request: { params: organizationParams },
  response: Organization,
})
export const changeOrganization = endpoint({
  route: 'PATCH /organizations/{organization_id}',
  permission: 'is_admin',
  wholeOrganization: true,
  summary: 'Change name and settings flags; omitted flags stay unchanged',
  request: {
    params: organizationParams,
    body: z.object({
      name: Organization.shape.name.optional(),
      type: Organization.shape.type.optional(),
      settings: z.record(z.string(), z.unknown()).optional(),
    }),
  },
  response: Organization,
})
