import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Responds as long as the process runs, regardless of its stores, so that a supervisor can restart it. */
export const getLiveness = endpoint({
  route: 'GET /livez',
  prefixes: [''],
  permission: 'public',
  summary: 'Whether the process runs; depends on nothing',
  request: {},
  response: z.object({ status: z.literal('alive') }),
})

export const serverComponents = ['config', 'migrations', 'state', 'facts', 'jobs'] as const

const ComponentState = z.object({
  component: z.enum(serverComponents),
  ok: z.boolean(),
  /** Only for administrators of all regions, and with the token of `METRICS_TOKEN`. */
  detail: z.string().optional(),
})

/** Responds with 503 and the same body unless `ready`, so that a proxy can send calls to another server. */
export const getReadiness = endpoint({
  route: 'GET /readyz',
  prefixes: [''],
  permission: 'public',
  summary: 'Whether the server can answer calls, by component; 503 if it cannot, and while it stops',
  request: {},
  response: z
    .object({ status: z.enum(['ready', 'not_ready', 'draining']), components: z.array(ComponentState) })
    .meta({ id: 'Readiness' }),
})
export type Readiness = z.infer<(typeof getReadiness)['response']>
