import type { PushedPayments } from '#server/curb/payments/push-payments.ts'
import { maxPushed } from '#server/curb/payments/push-payments.ts'
import { AgencyError } from '../agency/agency-error.ts'
import type { CdsRoute } from './serve-cds.ts'

/** Returns the endpoint to which vendors push payments. The vendor is the name of the API key. Idempotent. */
export const paymentsPushRoute = (pushed: PushedPayments): CdsRoute => ({
  method: 'POST',
  path: '/payments',
  access: 'payments',
  format: 'json',
  cost: 'light',
  handle: async ({ access, body }) => {
    const items = readItems(body)
    const { scope, regionId, vendor } = access
    const { accepted, repeated, failures } = await pushed.storePush({ scope, regionId, vendor, items })
    return {
      status: failures.length === items.length ? 400 : 201,
      body: { accepted, repeated, total: items.length, failures },
    }
  },
})

/** Reads the payments of a body. @throws AgencyError. */
function readItems(body: Buffer): unknown[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(body.toString('utf8'))
  } catch {
    throw new AgencyError(400, 'bad_param', 'The body is not JSON.', ['body'])
  }
  const items = Array.isArray(parsed) ? parsed : (parsed as { payments?: unknown } | null)?.payments
  if (!Array.isArray(items) || items.length === 0)
    throw new AgencyError(400, 'bad_param', 'Send a list of payments, or an object with `payments`.', [
      'payments',
    ])
  if (items.length > maxPushed)
    throw new AgencyError(413, 'bad_param', `Send at most ${maxPushed} payments at once.`, ['payments'])
  return items
}
