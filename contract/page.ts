import { z } from 'zod'

/** One page of a list: which page (from 1), of what size, out of how many. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), total: z.number().int(), page: z.number().int(), size: z.number().int() })

/** Paging of an ask; sizes by list (specification section 9). */
export const pageAsk = (size: number, most = 300) => ({
  page: z.coerce.number().int().min(1).default(1),
  size: z.coerce.number().int().min(1).max(most).default(size),
})
