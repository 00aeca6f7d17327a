import { z } from 'zod'
import { CurbId } from './cds.ts'
import { PaymentLocation } from './curb-payments.ts'
import { endpoint } from './endpoint.ts'

// Links of payment locations to curb zones, and suggestions of zones.

/** Maximum number of locations per request. */
export const maxLocationLinks = 2000

/**
 * Why a zone is suggested. `id`: the vendor names the zone or one of its spaces. `side`: it is near and on
 * the side of the street that the name of the location contains. `near`: it is near.
 */
export const suggestionReasons = ['id', 'side', 'near'] as const

export const ZoneSuggestion = z
  .object({
    curb_zone_id: CurbId,
    zone_name: z.string(),
    /** Distance in meters; null: the position of the location is unknown. */
    meters: z.number().nullable(),
    reason: z.enum(suggestionReasons),
    /** Whether no other zone is as likely. */
    is_clear: z.boolean(),
  })
  .meta({ id: 'ZoneSuggestion' })
export type ZoneSuggestion = z.infer<typeof ZoneSuggestion>

export const PaymentLocationLink = PaymentLocation.extend({
  zone_name: z.string().nullable(),
  /** Meters to the linked zone; null: no zone, or the position is unknown. */
  meters: z.number().nullable(),
  /** The most likely zones, best first. */
  suggestions: z.array(ZoneSuggestion),
}).meta({ id: 'PaymentLocationLink' })
export type PaymentLocationLink = z.infer<typeof PaymentLocationLink>

const regionParams = z.object({ region_id: z.string() })
const linksPath = '/regions/{region_id}/curb/payments/location_links'

export const listPaymentLocationLinks = endpoint({
  route: `GET ${linksPath}`,
  cost: 'heavy',
  permission: 'signed_in',
  summary: 'Locations of payments with their curb zones, and the zones that they may belong to',
  request: { params: regionParams },
  response: z.object({ items: z.array(PaymentLocationLink) }),
})
export const linkPaymentLocations = endpoint({
  route: `POST ${linksPath}`,
  prefixes: ['/v2'],
  permission: 'edit_curb_regulations',
  longBody: true,
  summary: 'Link locations of payments to curb zones, or to none; their payments follow in the background',
  request: {
    params: regionParams,
    body: z.object({
      links: z
        .array(z.object({ location_id: z.string().max(300), curb_zone_id: CurbId.nullable() }))
        .min(1)
        .max(maxLocationLinks)
        .refine(
          (links) => new Set(links.map(({ location_id: id }) => id)).size === links.length,
          'A location may occur once',
        ),
    }),
  },
  response: z.object({ linked: z.number().int() }),
})
