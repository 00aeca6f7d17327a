export interface UsersSearch {
  /** Part of an e-mail or a name. */
  search?: string | undefined
  /** From 1; left out on the first. */
  page?: number | undefined
  /** The user being changed. */
  edit?: string | undefined
  /** Whether somebody is being invited. */
  isNew?: true | undefined
}

const wholeFrom = (least: number, value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value >= least

export const usersSearch = ({ search, page, edit, isNew }: Record<string, unknown>): UsersSearch => ({
  // The address bar holds a search for 311 as a number.
  ...((typeof search === 'string' && search !== '') || typeof search === 'number' ? { search: String(search) } : {}),
  ...(wholeFrom(2, page) ? { page } : {}),
  ...(typeof edit === 'string' ? { edit } : {}),
  ...(isNew === true ? { isNew } : {}),
})
