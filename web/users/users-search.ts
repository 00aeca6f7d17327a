import { userOrders } from '#contract/users.ts'
import { orderIn } from '#web/kit/sort-rows.ts'

export interface UsersSearch {
  /** Part of an e-mail or a name. */
  search?: string | undefined
  /** From 1; left out on the first. */
  page?: number | undefined
  /** What the list is sorted by, where it is not the e-mail. */
  sort?: ReturnType<typeof userSort>
  /** The user being changed. */
  edit?: string | undefined
  /** Whether somebody is being invited. */
  isNew?: true | undefined
}

const wholeFrom = (least: number, value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= least

export const userSort = orderIn(userOrders, 'email')

export const usersSearch = ({ search, page, sort, edit, isNew }: Record<string, unknown>): UsersSearch => ({
  // The address bar holds a search for 311 as a number.
  ...((typeof search === 'string' && search !== '') || typeof search === 'number'
    ? { search: String(search) }
    : {}),
  ...(wholeFrom(2, page) ? { page } : {}),
  ...(userSort(sort) ? { sort: userSort(sort) } : {}),
  ...(typeof edit === 'string' ? { edit } : {}),
  ...(isNew === true ? { isNew } : {}),
})
