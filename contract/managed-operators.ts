import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { nameSchema } from './names.ts'
import { Operator, operatorSlug } from './operators.ts'

/** An operator as shown to administrators. */
export const ManagedOperator = Operator.extend({
  /** MDS provider_id. */
  providerId: z.uuid().nullable(),
  /** Whether an administrator named it; otherwise it is known from trips only. */
  isNamed: z.boolean(),
  feeds: z.number().int(),
  hasTrips: z.boolean(),
}).meta({ id: 'ManagedOperator' })
export type ManagedOperator = z.infer<typeof ManagedOperator>

const operatorFields = {
  name: nameSchema(120),
  colorHex: Operator.shape.colorHex,
  providerId: z.uuid().nullable(),
}
const operatorParams = z.object({ slug: operatorSlug })

export const listManagedOperators = endpoint({
  route: 'GET /managed_operators',
  permission: 'is_admin',
  summary: 'Operators of the organization, including those without trips',
  request: {},
  response: z.array(ManagedOperator),
})
export const createOperator = endpoint({
  route: 'POST /operators',
  prefixes: ['/v2'],
  permission: 'is_admin',
  wholeOrganization: true,
  summary: 'Add an operator',
  request: {
    body: z.object({
      slug: operatorSlug,
      ...operatorFields,
      providerId: operatorFields.providerId.default(null),
    }),
  },
  response: ManagedOperator,
})
export const changeOperator = endpoint({
  route: 'PATCH /operators/{slug}',
  permission: 'is_admin',
  wholeOrganization: true,
  summary: 'Change an operator, or name one that is known from trips',
  request: { params: operatorParams, body: z.object(operatorFields).partial() },
  response: ManagedOperator,
})
export const deleteOperator = endpoint({
  route: 'DELETE /operators/{slug}',
  permission: 'is_admin',
  wholeOrganization: true,
  summary: 'Remove an operator without data',
  request: { params: operatorParams },
  response: z.object({ deleted: z.boolean() }),
})
