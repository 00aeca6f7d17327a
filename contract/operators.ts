import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { pageAsk, pageOf } from './page.ts'

export const unknownOperatorText = 'Unknown Operator'

export const operatorSlug = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,59}$/, 'Small letters, digits, dashes and underscores, at most 60')

export const Operator = z.object({ slug: operatorSlug, name: z.string(), colorHex: z.string().regex(/^#[0-9A-Fa-f]{6}$/) }).meta({ id: 'Operator' })
export type Operator = z.infer<typeof Operator>

export const listOperators = endpoint({
  method: 'GET', path: '/operators', permission: 'signed_in', summary: 'Operators with trips in the regions that the viewer may see; or in one region',
  ask: { query: z.object({ region_id: z.string().optional(), orderBy: z.enum(['name', '-name']).default('name'), ...pageAsk(50) }) }, answer: pageOf(Operator),
})
export const getOperator = endpoint({ method: 'GET', path: '/operators/{slug}', permission: 'signed_in', summary: 'One operator', ask: { params: z.object({ slug: z.string() }) }, answer: Operator })
