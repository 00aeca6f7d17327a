import { z } from 'zod'

/** Returns the schema of one page of a list: its number (from 1), its size and the total number of items. */
export const pageSchema = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), total: z.number().int(), page: z.number().int(), size: z.number().int() })

/** Returns the paging parameters of a request; page sizes differ by list. */
export const pageQuery = (size: number, maxSize = 300) => ({
  page: z.coerce.number().int().min(1).default(1),
  size: z.coerce.number().int().min(1).max(maxSize).default(size),
})

/**
 * Returns the sort order of a list that the server pages: one of its keys, with a leading `-` for descending.
 * Rows with equal values have a fixed order, so that each row is on exactly one page; missing values come
 * last.
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
