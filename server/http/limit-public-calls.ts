import type { FastifyInstance } from 'fastify'
import { AddressLimit } from './address-limit.ts'
import { sendProblem } from './errors.ts'
import { createProblemBody } from './problem.ts'
import type { RateCounters } from './rate-limits.ts'

/** Public calls per address and minute. A public map loads about fifty tiles at a time. */
const defaultPerMinute = 3000

/**
 * Paths that need no sign-in: public maps, routes and their shapes, and the MDS feeds of policies and
 * geographies. `/apipy` is the prefix of legacy calls. MDS Agency is not limited here: operators push to it.
 */
const publicPath =
  /^\/((v2|apipy)\/public|(v2|apipy)\/regions\/[^/]+\/shapes\/public|mds\/policy|mds\/geography)(\/|\?|$)/

/** Limits the rate of public calls of each address. Must be called before routes are added. */
export function limitPublicCalls(
  app: FastifyInstance,
  now: () => Date,
  { perMinute = defaultPerMinute, counters }: { perMinute?: number; counters?: RateCounters } = {},
): void {
  const limit = new AddressLimit(perMinute, 60_000, counters, 'public')
  app.addHook('onRequest', async (request, reply) => {
    if (!publicPath.test(request.url) || (await limit.admits(request.ip, now()))) return
    return sendProblem(
      reply.header('retry-after', '60'),
      createProblemBody('too_many_requests', 'Too many calls from this address. Try again in a minute.'),
    )
  })
}
