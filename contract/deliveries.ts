import { z } from 'zod'

/** State of the delivery of a message to a subscription. Times are ISO 8601. */
export const deliveryFields = {
  created_time: z.string(),
  /** `waiting`: until its scheduled time, or a retry at `next_time`. `failed`: given up. */
  state: z.enum(['waiting', 'sending', 'done', 'failed']),
  tries: z.number().int(),
  next_time: z.string().nullable(),
  done_time: z.string().nullable(),
  /** Last status that the webhook returned; null: none, or an email. */
  http_status: z.number().int().nullable(),
  /** Why the last try failed. */
  problem: z.string().nullable(),
}
const DeliveryStatus = z.object(deliveryFields)
export type DeliveryStatus = z.infer<typeof DeliveryStatus>

/** Plain HTTP is called only by servers that may reach private addresses (`PRIVATE_ADDRESSES`). */
export const WebhookUrl = z
  .url({
    protocol: /^https?$/,
    error: 'The address of a webhook begins with https:// (or http:// in a private network)',
  })
  .max(1000)
