import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** How far one kind of derived data is, in the regions that the viewer sees. */
const DerivedProgress = z.object({
  product: z.string(),
  description: z.string(),
  dirty: z.number().int().meta({ description: 'Hours, days or runs that wait to be derived' }),
  dirty_since: z.iso.datetime().nullable(),
  portions: z
    .number()
    .int()
    .meta({ description: 'Portions derived since the server started, of all regions' }),
  worked_ms: z.number().int(),
  last_problem: z.string().nullable(),
})

/** Queries to the fact store by one caller, averages of the last ten minutes. */
const CallerQueries = z.object({
  caller: z.string().meta({ description: 'An endpoint, a derived product or a job' }),
  queries_per_minute: z.number(),
  ms_per_minute: z.number().int(),
})

/** What the server does in the background, for administrators. */
export const getServerWork = endpoint({
  method: 'GET',
  path: '/health/work',
  permission: 'is_admin',
  wholeOrganization: true,
  summary: 'Progress of derived data and queries to the fact store by caller',
  ask: {},
  answer: z
    .object({ derived: z.array(DerivedProgress), queries: z.array(CallerQueries) })
    .meta({ id: 'ServerWork' }),
})
