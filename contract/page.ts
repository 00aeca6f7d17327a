import { z } from 'zod'

/** One page of a list: which page (from 1), of what size, out of how many. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), total: z.number().int(), page: z.number().int(), size: z.number().int() })

/** Paging of an ask; sizes by list (specification section 9). */
export const pageQuery = (size: number, maxSize = 300) => ({
  page: z.coerce.number().int().min(1).default(1),
  size: z.coerce.number().int().min(1).max(maxSize).default(size),
})

/**
 * The order of a list that the server pages: one of its keys, `-` before it for descending. Rows of the same value
 * are in a fixed order, so that each row is on one page; missing values come last.
 */
export const orderQuery = <const Key extends string>(
  keys: readonly Key[],
  defaultOrder: NoInfer<Key | `-${Key}`>,
) => {
  type Order = Key | `-${Key}`
  return {
    order_by: z
      .enum([...keys, ...keys.map((key) => `-${key}` as const)] as readonly Order[])
      .default(defaultOrder as never),
  }
}
