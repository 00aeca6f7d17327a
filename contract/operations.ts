import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Answers as long as the process runs, whatever its stores do: a supervisor restarts it where this fails. */
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

/** 503 with the same body unless `ready`: a proxy sends calls elsewhere where this fails. */
export const getReadiness = endpoint({
  route: 'GET /readyz',
  prefixes: [''],
  permission: 'public',
  summary: 'Whether the server can answer calls, by component; 503 if it cannot, and while it stops',
  request: {},
  response: z
    .object({
      status: z.enum(['ready', 'not_ready', 'draining']),
      components: z.array(ComponentState),
    })
    .meta({ id: 'Readiness' }),
})
export type Readiness = z.infer<(typeof getReadiness)['response']>
