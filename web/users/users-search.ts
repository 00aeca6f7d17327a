import { userOrders } from '#contract/users.ts'
import { flag, searchParams, sort, tableParams, text, type SearchOf } from '#web/shell/search-params.ts'

/** URL parameters of the list of users, including the open dialog. */
export const usersSearch = searchParams({
  ...tableParams,
  sort: sort(userOrders, 'email'),
  search: text(),
  edit: text(),
  is_new: flag,
})
export type UsersSearch = SearchOf<typeof usersSearch>
